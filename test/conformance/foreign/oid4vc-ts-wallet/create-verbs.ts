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
