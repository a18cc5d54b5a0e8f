import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { asPremise } from '../../kit/as-premise.ts'
import { requireResult } from './require-result.ts'

/** Ends a check as inconclusive where a request with nothing wrong has no result. */
export async function requireControl(control: () => Promise<HttpAnswer>): Promise<void> {
  const what = 'A request with nothing wrong'
  await asPremise(
    what,
    control().then((answer) => requireResult(answer, what)),
  )
}
