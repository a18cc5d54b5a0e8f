import { exitCodes } from './exit-codes.ts'

/** Settles with the exit code of the first SIGINT (130) or SIGTERM (0); further ones do no harm. */
export function waitForSignal(): Promise<number> {
  return new Promise((settle) => {
    process.on('SIGINT', () => settle(exitCodes.interrupted))
    process.on('SIGTERM', () => settle(exitCodes.passed))
    process.on('SIGHUP', () => settle(exitCodes.passed))
  })
}
