import { asPremise } from '../../../kit/classify-answer.ts'
import type { Portal } from '../open-portal.ts'
import { listRecords } from './list-records.ts'
import { signIn } from './sign-in.ts'

/**
 * Goes on only where a portal with its token is let in: an issuer that is closed to everybody has
 * kept nobody in particular out.
 */
export async function requireOpenPortal(portal: Portal): Promise<void> {
  await asPremise('listing credentials with a Bearer token', signIn(portal).then(listRecords))
}
