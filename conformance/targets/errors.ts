import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { KitOptions } from './target-members.ts'

/** The target file, or a value in it, cannot be used. */
export function invalidTarget(
  message: string,
  hints: readonly string[] = [],
  cause?: unknown,
): TestbedError {
  return new TestbedError({ code: 'invalid_target', status: 400, message, hints, cause })
}

const isUnknownAddress = (code: unknown) =>
  ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(String(code))

const listOwnAddresses = () =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))

export function cannotListen(
  { port = 0, bind = '127.0.0.1' }: KitOptions,
  cause: unknown,
): TestbedError {
  const { code } = cause as { code?: unknown }
  const where = `${isIP(bind) === 6 ? `[${bind}]` : bind}:${port}`
  const why = code === 'EADDRINUSE' ? 'another program uses the port' : String(code)
  return new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The kit cannot listen on ${where} (${why}).`,
    hints: [
      isUnknownAddress(code)
        ? `Set kit.bind in the target file to an address of this machine: ${listOwnAddresses().join(', ')}, or 0.0.0.0 for all.`
        : 'Choose another kit.port, or another kit.bind, in the target file.',
    ],
    cause,
  })
}

/** A program of an earlier start would be tested instead, with other addresses of the kit. */
export const targetStartedBefore = (ready: string): TestbedError =>
  new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The target's start command was not run: a program already responds at ${ready}`,
    hints: ['End that program, or remove start from the target to test it.'],
  })

/** @param said the output of the command so far */
export function targetNotStarted(problem: string, command: string, said: string): TestbedError {
  return new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The target's start command ${problem}: ${command}`,
    hints: [said === '' ? 'It had no output.' : `Its output: ${said}`],
  })
}
