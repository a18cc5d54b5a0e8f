/** Why the checks of a plan would not say anything about the system, found before the first one. */
export interface PreflightProblem {
  /** Stable name of the kind of problem, for example `self-signed`. */
  readonly code: string
  /** The member of the target that is probably wrong: `client.clientSecret`. */
  readonly member: string
  /** What is wrong, as a sentence. */
  readonly message: string
  /** What to do, as a sentence. */
  readonly advice: string
}

/** Creates a problem. */
export const problem = (
  code: string,
  member: string,
  message: string,
  advice: string,
): PreflightProblem => ({ code, member, message, advice })
