import { broken, type Finding, held } from '../../../kit/check.ts'

/** Whether a part of a message is as documented, and what is wrong where it is not. */
export type Statement = readonly [holds: boolean, problem: string]

/** What statements about a message say: everything that is wrong with it is told. */
export function findProblems(
  what: string,
  statements: readonly Statement[],
  verdictSource: string,
): Finding {
  const problems = statements.flatMap(([holds, problem]) => (holds ? [] : [problem]))
  return problems.length === 0
    ? held(`${what} is as documented.`, { verdictSource })
    : broken(`${what} is not as documented: ${problems.join('; ')}.`, {
        verdictSource,
        actual: problems,
      })
}
