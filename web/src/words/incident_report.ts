/** The words of the incident report's card. */

import type { Welcome } from "../words";

export const en = {
  welcome: {
    page: "Incident report",
    title: "A report forms here",
    text: "Ask what went wrong. The logs are searched and read, then you can watch the report being written; every claim names the lines that support it.",
    ask: "What would you like to know about?",
    hint: "For example: What went wrong, and when did it end?",
    examples: ["What went wrong?", "Why did checkout fail?", "What happened to payments?"],
  } as Welcome,
  title: "Title",
  severity: "Severity",
  severities: { critical: "", major: "", minor: "", none: "" } as Record<string, string>,
  summary: "Summary",
  timeline: "Timeline",
  time: "Time",
  event: "Event",
  findings: "Findings",
  kind: "Kind",
  kinds: { fact: "", inference: "" } as Record<string, string>,
  /** Names of the kinds where they stand alone. */
  kindNames: { fact: "Fact", inference: "Inference" } as Record<string, string>,
  kindsHint: "Fact: a cited record says it. Inference: it is concluded from the cited records.",
  claim: "Claim",
  citations: "Sources",
  artifact: "Log",
  line: "Line",
  /** What stands before and behind the number of a line. */
  lineAround: ["line ", ""],
  quote: "Quote",
  gaps: "What is not known",
};

export const zh: typeof en = {
  welcome: {
    page: "事件报告",
    title: "报告会在这里成形",
    text: "问问出了什么问题。系统会先搜索和读取日志，然后你可以看着报告写出来；每条结论都注明支持它的日志行。",
    ask: "你想了解什么？",
    hint: "例如：出了什么问题，什么时候结束的？",
    examples: ["出了什么问题？", "checkout 为什么失败？", "payments 发生了什么？"],
  },
  title: "标题",
  severity: "严重程度",
  severities: { critical: "危急", major: "严重", minor: "轻微", none: "无事件" },
  summary: "摘要",
  timeline: "时间线",
  time: "时间",
  event: "事件",
  findings: "结论",
  kind: "类型",
  kinds: { fact: "事实", inference: "推断" },
  kindNames: { fact: "事实", inference: "推断" },
  kindsHint: "事实：引用的记录中写明。推断：由引用的记录得出。",
  claim: "陈述",
  citations: "出处",
  artifact: "日志",
  line: "行",
  lineAround: ["第 ", " 行"],
  quote: "引文",
  gaps: "尚不清楚的内容",
};
