import { randomInt, randomUUID } from 'node:crypto'
import {
  createStatusEntry,
  createStatusListCredential,
} from '#core/status-list/status-list-credential.ts'
import type { Party, TrustWorld } from './create-trust-world.ts'
import type { SignDraft } from './defects/defect.ts'

/** What a list and its entries name. */
interface ListNames {
  readonly url: string
  readonly issuerDid: string
}

/** A status list, and the entry of a credential in it, with their defects. */
export interface StatusListOptions {
  /** The issuer of the list. By default that of the world. */
  readonly issuer?: Party
  /** By default a new address. */
  readonly url?: string
  /** Indexes of the revoked entries. By default none. */
  readonly revoked?: readonly number[]
  /** The index of the credential. By default 7. */
  readonly index?: number
  /** By default BitstringStatusListEntry. */
  readonly type?: 'StatusList2021Entry'
  /** Members that replace those of credentialStatus; undefined removes one. */
  readonly entry?: object
  /** Members that replace those of the payload of the list. */
  readonly claims?: (now: number, names: ListNames) => object
  readonly vc?: (now: number, names: ListNames) => object
  readonly subject?: object
  /** Members of its header. */
  readonly header?: object
  /** The key that signs it, and its kid. By default that of the issuer. */
  readonly signer?: (world: TrustWorld) => Pick<Party, 'kid' | 'privateKey'>
  /** How it is signed. */
  readonly sign?: SignDraft
  /** A change of the signed list. */
  readonly afterwards?: (list: string) => string
}

const day = 86_400

/** Publishes a new status list in a trust world. Returns the credentialStatus that refers to it. */
export function publishStatusList(
  world: TrustWorld,
  {
    // Another list each time, so that no cache of the target knows it.
    revoked = [randomInt(1000, 130_000)],
    index = 7,
    type,
    issuer = world.issuer,
    signer = () => issuer,
    url = `${world.policy.credentialIssuerUrls[0]}/status-lists/${randomUUID()}`,
    ...options
  }: StatusListOptions,
): ReturnType<typeof createStatusEntry> {
  const now = Math.floor(Date.now() / 1000)
  const form = type && { type, entryType: type }
  const names = { url, issuerDid: issuer.did }
  const list = createStatusListCredential({
    ...names,
    revoked,
    now: now - 60,
    validUntil: now + day,
    // The target must not keep it.
    ttlMilliseconds: 0,
    ...form,
  })
  const credentialSubject = { ...list.vc.credentialSubject, ...options.subject }
  const payload = {
    ...list,
    ...options.claims?.(now, names),
    vc: { ...list.vc, credentialSubject, ...options.vc?.(now, names) },
  }
  const by = signer(world)
  const header = { alg: 'ES256K' as const, typ: 'JWT', kid: by.kid, ...options.header }
  const signed = options.sign?.(header, payload, by.privateKey) ?? world.sign(payload, by, header)
  // Requests have no dot segments and no fragment, and the kit ignores their query.
  const { origin, pathname } = new URL(url)
  world.statusLists.set(`${origin}${pathname}`, options.afterwards?.(signed) ?? signed)
  return { ...createStatusEntry({ statusListUrl: url, index, ...form }), ...options.entry }
}
