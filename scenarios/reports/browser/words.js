/**
 * The words of the diagram and of the exchanges. A page in another language assigns its own to it
 * before it draws.
 */
export const words = {
  /** Names of parts, if a page shows others than those that are recorded. */
  parts: {},
  /** Meanings of the claims of tokens by their path; without it, they are not shown. */
  claims: {},
  noAnswer: 'none',
  exit: 'exit {status}',
  arrow: '{number}. {from} to {to}: {label}',
  rulesBroken: 'rules broken',
  failedHere: 'the scenario failed here',
  outsideSteps: 'Outside any step',
  stepFailed: 'failed',
  diagram: 'Sequence diagram of {count} exchanges between {parts}',
  token: '‹token›',
  tokenBelow: 'JWT, decoded below',
  tokenName: 'Token',
  decoded: 'decoded, {algorithm}',
  noAlgorithm: 'no alg',
  header: 'Header',
  payload: 'Payload',
  query: 'Query',
  body: 'Body',
  request: 'Request',
  response: 'Response {status}',
  tokensIn: 'In the {message}',
  exchangeAt: '{label}, at {time} UTC {duration}',
  passes: 'passes',
  breaks: 'broken',
  place: '{rule} at {path}',
  rule: 'Rule',
  expected: 'Expected',
  found: 'Found',
  fix: 'How to fix it',
  paragraph: 'Paragraph',
  rules: 'Rules',
  checkedBy: 'Checked by {judge}: {summary}',
  showRules: 'Show the rules',
  passingRules: 'The {count} that passed',
  oneRulePassed: '1 rule passed',
  rulesPassed: '{count} rules passed',
  oneRuleBroken: '1 of 1 rule broken',
  someRulesBroken: '{broken} of {count} rules broken',
}

/** Inserts values for the names in braces. */
export const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

/** The name of a part as the page shows it. */
export const partName = (name) => words.parts[name] ?? name
