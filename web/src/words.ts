/** Every word that the page itself says, in English and Chinese. */

import type { StepStatus } from "./steps";
import type { State } from "./turn";
import * as incident from "./words/incident_report";

export type Language = "en" | "zh";

/** The value of `lang` for a language. */
export const TAGS: Readonly<Record<Language, string>> = { en: "en", zh: "zh-CN" };

export interface Told {
  /** One character that goes with the words, never instead of them. */
  readonly sign: string;
  readonly what: string;
  /** What to do about it. */
  readonly next: string;
}

/** What the page says before anything was asked. */
export interface Welcome {
  /** The page's own name. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
  readonly ask: string;
  readonly hint: string;
  readonly examples: readonly string[];
}

const en = {
  skip: "Skip to the result",
  otherLanguage: "中文",
  dark: "Dark",
  light: "Light",
  theme: (isDark: boolean): string => (isDark ? "Use the light theme" : "Use the dark theme"),
  fresh: "New",
  freshLong: "New conversation",
  conversation: "Conversation",
  you: "You",
  result: "Result",
  earlier: "Earlier result",
  again: "What should be different?",
  hintAgain: "For example: make it shorter",
  send: "Send",
  keys: "Shift + Enter for a new line",
  stop: "Stop",
  retry: "Try again",
  reconnect: "Connect again",
  continue: "Ask for a shorter one",
  continueText: "The answer was cut off. Please give it again in full, but shorter.",
  edit: "Edit the request",
  copy: "Copy JSON",
  copyMarkdown: "Copy Markdown",
  downloadJson: "JSON",
  downloadMarkdown: "Markdown",
  download: "Download",
  copied: "Copied",
  copyFailed: "Copying is not allowed here",
  print: "Print",
  viewData: "View data",
  hideData: "Hide data",
  data: "Data",
  welcome: {
    page: "",
    title: "The answer forms here",
    text: "Say what you need. You can watch the answer being written, stop it, and ask for changes.",
    ask: "What do you need?",
    hint: "",
    examples: [],
  } as Welcome,
  loading: "Reading the conversation…",
  nothing: "nothing",
  opensElsewhere: "opens in a new tab",
  phases: { writing: "Writing…", mending: "Checking and correcting…", reconnecting: "Connection lost; connecting again…", stopping: "Stopping…" },
  model: (name: string) => `Written by ${name}`,
  ruleBased: "Made by fixed rules, not by a language model",
  notes: {
    busy: "An answer is still being written. Wait for it or stop it; your text is kept.",
    gone: "This conversation is no longer on the server. You can start a new one.",
    stopFailed: "The server could not be reached to stop this. Try once more.",
  },
  /** The calls of ordinary tools. */
  steps: {
    name: "Steps",
    working: "Using tools…",
    count: (count: number, isMost: boolean): string => `${count}${isMost ? "+" : ""} ${count === 1 ? "step" : "steps"}`,
    failed: (count: number): string => `${count} failed`,
    signs: { running: "●", waiting: "○", success: "✓", error: "✗", stopped: "■" } satisfies Record<StepStatus, string>,
    status: { running: "running", waiting: "waiting", success: "done", error: "failed", stopped: "stopped" } satisfies Record<StepStatus, string>,
  },
  status: { start: "Writing has begun.", end: (what: string): string => `Finished: ${what}.` },
  states: {
    idle: { sign: "", what: "", next: "" },
    generating: { sign: "", what: "Writing…", next: "" },
    done: { sign: "✓", what: "Complete and checked", next: "" },
    truncated: { sign: "✂", what: "Cut off before it was complete", next: "What arrived is shown. Ask for something shorter, or try again." },
    invalid: { sign: "!", what: "The answer is not in the expected form", next: "Try again, or put the request in other words." },
    refused: { sign: "⊘", what: "The model refused", next: "Put the request in other words." },
    filtered: { sign: "⊘", what: "Stopped by the provider’s content filter", next: "Put the request in other words." },
    failed: { sign: "!", what: "No usable answer", next: "Try again. If it stays so, the server’s log holds the cause." },
    aborted: { sign: "■", what: "Stopped before it was complete", next: "The conversation is kept: try again, or change the request." },
    absent: { sign: "–", what: "Nothing was shown", next: "Try again, and say what you would like to see." },
  } satisfies Record<State, Told>,
  failures: {
    connection_lost: { sign: "!", what: "The connection to the server is lost", next: "The answer may still be written there. Connect again to see it." },
    not_taken: { sign: "!", what: "The server did not take the request", next: "Try again. If it stays so, the server’s log holds the cause." },
    not_sent: { sign: "!", what: "The request did not reach the server", next: "Check the connection, then try again." },
  } as Record<string, Told>,
  problems: "What is wrong",
  whole: "The answer as a whole",
  comma: ", ",
  colon: ": ",
  item: (number: number) => `no. ${number}`,
  /** Of a schema or bounds error, by its code; the first whose pattern fits. */
  faults: [
    [/^(missing|required)$/, "is missing"],
    [/^(extra_forbidden|additionalProperties|unevaluatedProperties)$/, "does not belong here"],
    [/^(string_too_short|minLength|too_short|minItems|minProperties)$/, "is too short or empty"],
    [/^(string_too_long|maxLength|too_long|maxItems|maxProperties|too_many_items|too_many_nodes|too_large|number_too_long|too_deep)$/, "is too large"],
    [/^(greater_than|greater_than_equal|minimum|exclusiveMinimum)$/, "is too small a number"],
    [/^(less_than|less_than_equal|maximum|exclusiveMaximum)$/, "is too large a number"],
    [/^(literal_error|enum|const|union_tag_invalid)$/, "is none of the allowed values"],
    [/^(int_|integer|float_|number|multiple_of|multipleOf)/, "should be a different number"],
    [/^string_type$/, "should be text"],
    [/^(list_type|array)/, "should be a list"],
    [/^(model_type|dict_type|dataclass_type|not_object)$/, "should be a group of fields"],
    [/^bool/, "should be yes or no"],
    [/^(duplicate_key)$/, "stands here twice"],
    [/^type$/, "is of the wrong kind"],
    [/^(json_syntax|empty|lone_surrogate|not_finite)/, "cannot be read"],
    [/^no_such_(log|line)$/, "names no record of the logs"],
    [/^not_quoted$/, "does not stand in the cited record"],
    [/^time_not_cited$/, "is not the time of a cited record"],
  ] as [RegExp, string][],
  anyFault: "is not as it should be",
  plan: {
    welcome: {
      page: "Learning plan",
      title: "A plan forms here",
      text: "Say what you would like to learn, for whom and how long. You can watch it being written, stop it, and ask for changes.",
      ask: "What would you like to learn?",
      hint: "For example: SQL window functions for beginners, three hours",
      examples: ["Python asyncio for web developers, four hours", "SQL window functions for beginners", "Statistics for A/B tests, one weekend"],
    } as Welcome,
    level: "Level",
    levels: { beginner: "", intermediate: "", advanced: "" } as Record<string, string>,
    total: "Total time",
    objectives: "Objectives",
    lessons: "Lessons",
    duration: "Duration",
    lessonTitle: "Title",
    topic: "Topic",
    minutes: "min",
    hours: (minutes: number) => spell(minutes, "h", "min"),
    share: (percent: string) => `${percent} of the time`,
    sum: (minutes: number) => `The lessons add up to ${minutes} min.`,
  },
  incident: incident.en,
};

export type Words = typeof en;

const zh: Words = {
  skip: "跳到结果",
  otherLanguage: "English",
  dark: "深色",
  light: "浅色",
  theme: (isDark) => (isDark ? "使用浅色主题" : "使用深色主题"),
  fresh: "新建",
  freshLong: "新建对话",
  conversation: "对话",
  you: "你",
  result: "结果",
  earlier: "之前的结果",
  again: "想怎么改？",
  hintAgain: "例如：短一些",
  send: "发送",
  keys: "Shift + Enter 换行",
  stop: "停止",
  retry: "重试",
  reconnect: "重新连接",
  continue: "要一份更短的",
  continueText: "回答被截断了。请重新给出完整的内容，但短一些。",
  edit: "修改请求",
  copy: "复制 JSON",
  copyMarkdown: "复制 Markdown",
  downloadJson: "JSON",
  downloadMarkdown: "Markdown",
  download: "下载",
  copied: "已复制",
  copyFailed: "此处不允许复制",
  print: "打印",
  viewData: "查看数据",
  hideData: "隐藏数据",
  data: "数据",
  welcome: {
    page: "",
    title: "回答会在这里成形",
    text: "说说你需要什么。你可以看着回答写出来，随时停止，也可以要求修改。",
    ask: "你需要什么？",
    hint: "",
    examples: [],
  },
  loading: "正在读取对话…",
  nothing: "无",
  opensElsewhere: "在新标签页中打开",
  phases: { writing: "正在生成…", mending: "正在检查和修正…", reconnecting: "连接已断开，正在重新连接…", stopping: "正在停止…" },
  model: (name) => `由 ${name} 生成`,
  ruleBased: "由固定规则生成，并非语言模型",
  notes: {
    busy: "上一个回答还在生成。请等它完成或先停止；你输入的内容已保留。",
    gone: "服务器上已没有这个对话。可以开始一个新的。",
    stopFailed: "无法连接服务器来停止生成，请再试一次。",
  },
  steps: {
    name: "步骤",
    working: "正在使用工具…",
    count: (count, isMost) => `${count}${isMost ? "+" : ""} 个步骤`,
    failed: (count) => `${count} 个失败`,
    signs: { running: "●", waiting: "○", success: "✓", error: "✗", stopped: "■" },
    status: { running: "运行中", waiting: "等待中", success: "完成", error: "失败", stopped: "已停止" },
  },
  status: { start: "开始生成。", end: (what) => `已结束：${what}。` },
  states: {
    idle: { sign: "", what: "", next: "" },
    generating: { sign: "", what: "正在生成…", next: "" },
    done: { sign: "✓", what: "已完成并通过校验", next: "" },
    truncated: { sign: "✂", what: "在完成之前被截断", next: "已显示收到的部分。可以要一份更短的，或者重试。" },
    invalid: { sign: "!", what: "结果不符合要求的结构", next: "请重试，或换一种说法。" },
    refused: { sign: "⊘", what: "模型拒绝了请求", next: "请换一种说法。" },
    filtered: { sign: "⊘", what: "被服务商的内容过滤器拦截", next: "请换一种说法。" },
    failed: { sign: "!", what: "没有可用的结果", next: "请重试。如果仍然失败，原因记录在服务器日志中。" },
    aborted: { sign: "■", what: "在完成之前被停止", next: "对话已保存：可以重试，或修改请求。" },
    absent: { sign: "–", what: "没有可展示的结果", next: "请重试，并说明想看到什么。" },
  },
  failures: {
    connection_lost: { sign: "!", what: "与服务器的连接已断开", next: "回答可能仍在服务器上生成。重新连接即可查看。" },
    not_taken: { sign: "!", what: "服务器没有接受请求", next: "请重试。如果仍然失败，原因记录在服务器日志中。" },
    not_sent: { sign: "!", what: "请求没有到达服务器", next: "请检查连接，然后重试。" },
  },
  problems: "问题所在",
  whole: "整个回答",
  comma: "，",
  colon: "：",
  item: (number) => `第 ${number} 项`,
  faults: [
    [/^(missing|required)$/, "缺失"],
    [/^(extra_forbidden|additionalProperties|unevaluatedProperties)$/, "不应出现在这里"],
    [/^(string_too_short|minLength|too_short|minItems|minProperties)$/, "太短或为空"],
    [/^(string_too_long|maxLength|too_long|maxItems|maxProperties|too_many_items|too_many_nodes|too_large|number_too_long|too_deep)$/, "过大"],
    [/^(greater_than|greater_than_equal|minimum|exclusiveMinimum)$/, "数值太小"],
    [/^(less_than|less_than_equal|maximum|exclusiveMaximum)$/, "数值太大"],
    [/^(literal_error|enum|const|union_tag_invalid)$/, "不是允许的值"],
    [/^(int_|integer|float_|number|multiple_of|multipleOf)/, "应为另一种数值"],
    [/^string_type$/, "应为文本"],
    [/^(list_type|array)/, "应为列表"],
    [/^(model_type|dict_type|dataclass_type|not_object)$/, "应为一组字段"],
    [/^bool/, "应为是或否"],
    [/^(duplicate_key)$/, "出现了两次"],
    [/^type$/, "类型不对"],
    [/^(json_syntax|empty|lone_surrogate|not_finite)/, "无法读取"],
    [/^no_such_(log|line)$/, "在日志中找不到对应的记录"],
    [/^not_quoted$/, "不在所引用的记录中"],
    [/^time_not_cited$/, "不是所引用记录的时间"],
  ],
  anyFault: "不符合要求",
  plan: {
    welcome: {
      page: "学习计划",
      title: "计划会在这里成形",
      text: "说说你想学什么、为谁而学、有多少时间。你可以看着它写出来，随时停止，也可以要求修改。",
      ask: "你想学什么？",
      hint: "例如：面向初学者的 SQL 窗口函数，三小时",
      examples: ["给 Web 开发者的 Python asyncio，四小时", "面向初学者的 SQL 窗口函数", "A/B 测试所需的统计学，一个周末"],
    },
    level: "难度",
    levels: { beginner: "入门", intermediate: "进阶", advanced: "高级" },
    total: "总时长",
    objectives: "目标",
    lessons: "课程",
    duration: "时长",
    lessonTitle: "标题",
    topic: "主题",
    minutes: "分钟",
    hours: (minutes) => spell(minutes, "小时", "分钟"),
    share: (percent) => `占总时长的 ${percent}`,
    sum: (minutes) => `各课合计 ${minutes} 分钟。`,
  },
  incident: incident.zh,
};

/** Minutes as hours and minutes; nothing where that says no more. */
function spell(minutes: number, hour: string, minute: string): string {
  if (minutes < 60) return "";
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} ${hour}${rest ? ` ${rest} ${minute}` : ""}`;
}

export const WORDS: Readonly<Record<Language, Words>> = { en, zh };

/** What is wrong, by an error's code. */
export function faultWords(words: Words, code: string): string {
  return words.faults.find(([pattern]) => pattern.test(code))?.[1] ?? words.anyFault;
}
