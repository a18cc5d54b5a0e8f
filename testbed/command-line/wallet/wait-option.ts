import { type Command, InvalidArgumentError } from 'commander'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'

/** What a command takes that may have to wait for a deferred credential. */
export interface WaitOption {
  /** Seconds. */
  readonly wait?: number
}

/** Adds `--wait`. */
export function addWaitOption(command: Command): Command {
  const description = 'how long to wait for a deferred credential; by default 15 minutes'
  return command.option('--wait <seconds>', description, readSeconds)
}

/** How the wallet waits where that was given. */
export const deferralOf = ({ wait }: WaitOption): { readonly deferral?: DeferralOptions } =>
  wait === undefined ? {} : { deferral: { longestWaitMilliseconds: wait * 1000 } }

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new InvalidArgumentError('A number of seconds, up to 86400, is wanted.')
}
