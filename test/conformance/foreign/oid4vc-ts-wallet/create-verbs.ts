import { InvalidFetchResponseError, Oauth2ClientErrorResponseError } from '@openid4vc/oauth2'
import { Openid4vciRetrieveCredentialsError } from '@openid4vc/openid4vci'
import { acceptOffer } from './accept-offer.ts'
import { createCallbacks } from './create-callbacks.ts'
import type { Store } from './open-store.ts'
import { present } from './present.ts'

export interface VerbOptions {
  readonly link?: string | undefined
  readonly pin?: string | undefined
}

/** The four verbs that drive a wallet under test; each returns its result as JSON. */
export function createVerbs(store: Store, didRegistryUrl: string | undefined) {
  const { account } = store
  const callbacks = createCallbacks({ account, didRegistryUrl })
  return {
    async 'accept-offer'({ link = '', pin }: VerbOptions) {
      await store.add(await acceptOffer({ callbacks, account, link, pin }))
      return {}
    },
    async present({ link = '' }: VerbOptions) {
      const { redirectUri } = await present({ callbacks, account, link, held: store.credentials() })
      return { redirect_uri: redirectUri }
    },
    async list() {
      return { did: account.did, credentials: store.credentials() }
    },
    async reset() {
      await store.clear()
      return {}
    },
  }
}

export type Verbs = ReturnType<typeof createVerbs>

export const isVerb = (name: string): name is keyof Verbs =>
  ['accept-offer', 'present', 'list', 'reset'].includes(name)

/** 1 if the wallet or its counterpart refused, 3 if a server failed or was not reached. */
export function exitCodeOf(error: unknown): 1 | 3 {
  // What fetch throws if there is no answer.
  if (error instanceof TypeError || !(error instanceof Error)) return 3
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 3
  const status = statusOf(error)
  return status === 429 || status >= 500 ? 3 : 1
}

function statusOf(error: unknown): number {
  if (error instanceof InvalidFetchResponseError) return error.response.status
  if (error instanceof Oauth2ClientErrorResponseError) return error.response.status
  if (error instanceof Openid4vciRetrieveCredentialsError) return error.response.response.status
  return 400
}
