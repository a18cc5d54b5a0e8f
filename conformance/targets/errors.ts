import { TestbedError } from '#core/errors/testbed-error.ts'

/** The target file, or a value in it, cannot be used. */
export function invalidTarget(
  message: string,
  hints: readonly string[] = [],
  cause?: unknown,
): TestbedError {
  return new TestbedError({ code: 'invalid_target', status: 400, message, hints, cause })
}

export function cannotListen(where: string, why: string, cause: unknown): TestbedError {
  return new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The kit cannot listen on ${where} (${why}).`,
    hints: ['Choose another kit.port, or another kit.bind, in the target file.'],
    cause,
  })
}

/** @param said the output of the command so far */
export function targetNotStarted(problem: string, command: string, said: string): TestbedError {
  return new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The target's start command ${problem}: ${command}`,
    hints: [said === '' ? 'It had no output.' : `Its output: ${said}`],
  })
}
