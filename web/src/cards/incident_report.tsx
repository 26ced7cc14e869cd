import type { ComponentType, VNode } from "preact";

import { isObject, type Json } from "../json";
import { escape } from "../markdown";
import { useWords } from "../page";
import { Heading } from "../parts/heading";
import { Leaf } from "../parts/leaf";
import { still } from "../parts/still";
import { Term } from "../parts/term";
import type { Spot } from "../spot";
import type { Words } from "../words";
import type { CardModule, CardProps } from "./card";

export const card: CardModule = {
  tool: "render_incident_report",
  Body: IncidentReport,
  names,
  welcome: ({ incident }) => incident.welcome,
  markdown,
};

interface AtSpot {
  readonly spot: Spot;
}

function IncidentReport({ spot }: CardProps): VNode {
  const words = useWords().incident;
  const severity = spot.at("severity");
  return (
    <>
      <Heading spot={spot.at("title")} />
      <dl class="facts">
        <div class="severity" data-severity={wordOf(severity)}>
          <dt>{words.severity}</dt>
          <dd>
            <Term spot={severity} names={words.severities} />
          </dd>
        </div>
      </dl>
      <Paragraph spot={spot.at("summary")} look="lead" />
      <h3>{words.timeline}</h3>
      <List spot={spot.at("timeline")} look="timeline" Item={Entry} />
      <h3>{words.findings}</h3>
      <p class="hint">{words.kindsHint}</p>
      <List spot={spot.at("findings")} look="findings" Item={Finding} />
      <h3>{words.gaps}</h3>
      <List spot={spot.at("gaps")} look="items" Item={Gap} />
    </>
  );
}

function Paragraph({ spot, look }: AtSpot & { look?: string }): VNode {
  return (
    <p class={look} dir="auto">
      <Leaf spot={spot} size="long" />
    </p>
  );
}

/** A list, the place of its first item, or what stands where a list should. */
function List({ spot, look, Item, name }: AtSpot & { look: string; Item: ComponentType<AtSpot>; name?: string }): VNode {
  const words = useWords();
  if (!Array.isArray(spot.value) && !spot.awaited) return <Paragraph spot={spot} />;
  if (spot.closed && spot.items.length === 0) return <p class="none">{words.nothing}</p>;
  const items = spot.items.length > 0 ? spot.items : [spot.at(0)];
  return (
    <ul class={look} aria-label={name}>
      {items.map((item, index) => (
        <Item key={index} spot={item} />
      ))}
    </ul>
  );
}

/** Not the group of fields that the schema says, and shown all the same. */
function isPlain({ value }: Spot): boolean {
  return value !== undefined && !isObject(value);
}

const Gap = still(({ spot }: AtSpot) => (
  <li dir="auto">
    <Leaf spot={spot} size="long" />
  </li>
));

const Entry = still(({ spot }: AtSpot) => {
  if (isPlain(spot)) return <Gap spot={spot} />;
  return (
    <li>
      <span class="time">
        <Leaf spot={spot.at("time")} />
      </span>
      <div>
        <Paragraph spot={spot.at("event")} />
        <Citations spot={spot.at("citations")} />
      </div>
    </li>
  );
});

/** One claim; whether it is a fact or an inference is told in words, and its edge shows it. */
const Finding = still(({ spot }: AtSpot) => {
  const words = useWords().incident;
  if (isPlain(spot)) return <Gap spot={spot} />;
  const kind = spot.at("kind");
  return (
    <li data-kind={wordOf(kind)}>
      <p class="kind">
        <Term spot={kind} names={words.kinds} />
      </p>
      <Paragraph spot={spot.at("text")} />
      <Citations spot={spot.at("citations")} />
    </li>
  );
});

function Citations({ spot }: AtSpot): VNode {
  return <List spot={spot} look="citations" Item={Citation} name={useWords().incident.citations} />;
}

const Citation = still(({ spot }: AtSpot) => {
  const [before, behind] = useWords().incident.lineAround;
  if (isPlain(spot)) return <Gap spot={spot} />;
  const line = spot.at("line");
  const quote = spot.at("quote");
  const isNumbered = line.value !== undefined;
  const isQuoted = typeof quote.value === "string";
  const said = <Leaf spot={quote} />;
  return (
    <li>
      <Leaf spot={spot.at("artifact")} />{" "}
      <span class={isNumbered ? "line" : undefined}>
        {isNumbered && before}
        <Leaf spot={line} size="short" />
        {isNumbered && behind}
      </span>{" "}
      {isQuoted ? <q dir="auto">{said}</q> : said}
    </li>
  );
});

/** A word that has arrived whole, for the eye; undefined where there is none. */
function wordOf({ value }: Spot): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function names({ incident }: Words): Record<string, string> {
  const { title, severity, summary, timeline, time, event, findings, kind, claim, citations, artifact, line, quote, gaps } = incident;
  return { title, severity, summary, timeline, time, event, findings, kind, text: claim, citations, artifact, line, quote, gaps };
}

interface Cited {
  citations: { artifact: string; line: number | bigint; quote: string }[];
}

interface Report {
  title: string;
  severity: string;
  summary: string;
  timeline: (Cited & { time: string; event: string })[];
  findings: (Cited & { kind: string; text: string })[];
  gaps: string[];
}

function markdown(value: Json, { incident: words, nothing }: Words): string {
  const report = value as unknown as Report;
  const [before, behind] = words.lineAround;
  const sources = ({ citations }: Cited): string =>
    citations.map(({ artifact, line, quote }) => `\n  - ${escape(artifact)}, ${before}${line}${behind}: “${escape(quote)}”`).join("");
  const list = (items: string[]): string => items.map((item) => `- ${item}`).join("\n") || nothing;
  return [
    `# ${escape(report.title)}`,
    `${words.severity}: ${words.severities[report.severity] || report.severity}`,
    escape(report.summary),
    `## ${words.timeline}`,
    list(report.timeline.map((entry) => `${escape(entry.time)}: ${escape(entry.event)}${sources(entry)}`)),
    `## ${words.findings}`,
    list(report.findings.map((one) => `**${words.kindNames[one.kind] ?? one.kind}:** ${escape(one.text)}${sources(one)}`)),
    `## ${words.gaps}`,
    list(report.gaps.map(escape)),
    "",
  ].join("\n\n");
}
