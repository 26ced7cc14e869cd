import type { VNode } from "preact";

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

export const card: CardModule = { tool: "render_learning_plan", Body: LearningPlan, names, welcome: ({ plan }) => plan.welcome, markdown };

function LearningPlan({ spot }: CardProps): VNode {
  const words = useWords();
  const total = spot.at("total_minutes");
  return (
    <>
      <Heading spot={spot.at("topic")} />
      <dl class="facts">
        <div>
          <dt>{words.plan.level}</dt>
          <dd>
            <Term spot={spot.at("level")} names={words.plan.levels} />
          </dd>
        </div>
        <div>
          <dt>{words.plan.total}</dt>
          <dd>
            <Minutes spot={total} /> <span class="unit wide">{inHours(total.value, words)}</span>
          </dd>
        </div>
      </dl>
      <h3>{words.plan.objectives}</h3>
      <Objectives spot={spot.at("objectives")} />
      <h3>{words.plan.lessons}</h3>
      <Lessons spot={spot.at("lessons")} total={total.value} />
    </>
  );
}

function Objectives({ spot }: { spot: Spot }): VNode {
  return (
    <ul class="objectives">
      {entriesOf(spot).map((item, index) => (
        <Objective key={index} spot={item} />
      ))}
    </ul>
  );
}

/** The items of a list, or what stands for them: the place of the first, or a value that is no list. */
function entriesOf(spot: Spot): Spot[] {
  if (spot.value !== undefined && !Array.isArray(spot.value)) return [spot];
  return spot.items.length > 0 ? spot.items : [spot.at(0)];
}

const Objective = still(({ spot }: { spot: Spot }) => (
  <li dir="auto">
    <Leaf spot={spot} size="long" />
  </li>
));

function Lessons({ spot, total }: { spot: Spot; total: Json | undefined }): VNode {
  const words = useWords();
  const minutes = spot.closed ? minutesOf(spot.value) : null;
  const sum = minutes?.reduce((one, other) => one + other, 0) ?? 0;
  return (
    <>
      <ol class="lessons">
        {entriesOf(spot).map((item, index) => (
          <Lesson key={index} spot={item} share={minutes && sum > 0 ? minutes[index]! / sum : null} />
        ))}
      </ol>
      {sum > 0 && typeof total === "number" && total !== sum && <p class="hint">{words.plan.sum(sum)}</p>}
    </>
  );
}

const Lesson = still(({ spot, share }: { spot: Spot; share: number | null }) => {
  const words = useWords();
  const percent = share === null ? "" : `${Math.round(share * 100)} %`;
  return (
    <li>
      <span class="title" dir="auto">
        {isPlain(spot) ? <Leaf spot={spot} /> : <Leaf spot={spot.at("title")} size="long" />}
      </span>
      <span class="share" role="img" aria-hidden={share === null} aria-label={words.plan.share(percent)}>
        {share !== null && <span style={{ "--share": `${share * 100}%` }} />}
      </span>
      <span class="minutes">
        {!isPlain(spot) && <Minutes spot={spot.at("duration_minutes")} />}
      </span>
    </li>
  );
});

function Minutes({ spot }: { spot: Spot }): VNode {
  const words = useWords();
  const hasUnit = spot.value !== undefined || spot.awaited;
  return (
    <>
      <Leaf spot={spot} size="short" /> {hasUnit && <span class="unit">{words.plan.minutes}</span>}
    </>
  );
}

/** Not the lesson that the schema says, and shown all the same. */
function isPlain(spot: Spot): boolean {
  return spot.value !== undefined && (!isObject(spot.value) || spot.path.at(-1) === "lessons");
}

/** The lessons' minutes; null unless each lesson has them. */
function minutesOf(value: Json | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const minutes = value.map((lesson) => (isObject(lesson) ? Number(lesson.duration_minutes) : NaN));
  return minutes.every((one) => one > 0) ? minutes : null;
}

function inHours(minutes: Json | undefined, words: Words): string {
  const spelled = typeof minutes === "number" && minutes > 0 ? words.plan.hours(minutes) : "";
  return spelled && `(${spelled})`;
}

function names({ plan }: Words): Record<string, string> {
  return {
    topic: plan.topic,
    level: plan.level,
    objectives: plan.objectives,
    lessons: plan.lessons,
    title: plan.lessonTitle,
    duration_minutes: plan.duration,
    total_minutes: plan.total,
  };
}

interface Plan {
  topic: string;
  level: string;
  objectives: string[];
  lessons: { title: string; duration_minutes: number | bigint }[];
  total_minutes: number | bigint;
}

function markdown(value: Json, { plan: words }: Words): string {
  const plan = value as unknown as Plan;
  return [
    `# ${escape(plan.topic)}`,
    `${words.level}: ${words.levels[plan.level] || plan.level} · ${words.total}: ${plan.total_minutes} ${words.minutes}`,
    `## ${words.objectives}`,
    plan.objectives.map((text) => `- ${escape(text)}`).join("\n"),
    `## ${words.lessons}`,
    plan.lessons
      .map(({ title, duration_minutes }, index) => `${index + 1}. ${escape(title)} (${duration_minutes} ${words.minutes})`)
      .join("\n"),
    "",
  ].join("\n\n");
}
