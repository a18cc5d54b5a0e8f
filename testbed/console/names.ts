import { parseJws } from '#core/crypto/jws.ts'
import { parseDidOrg } from '#core/did/did-org.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import { summarizeCredentialContent } from '#core/lear-credential/lear-credential.ts'
import type { Language, Texts } from '#kit/language.ts'
import {
  brokerOf,
  type EnvironmentContext,
  relyingPartyOf,
} from '#testbed/services/environment-context.ts'
import { exchangesTexts } from './exchanges/texts.ts'
import { copyButton, type Frame, shorten } from './frame/page.ts'
import type { ConsoleWallet, ConsoleWallets } from './wallets/console-wallets.ts'

/** What people call the identifiers of an environment. */
export interface Names {
  /**
   * The name of a DID, an account address, an organization identifier or an attribute id (with or
   * without 0x), in any case; undefined if it has none.
   */
  of(identifier: string): string | undefined
  /** The names of DIDs, for modules of pages. */
  readonly byDid: Readonly<Record<string, string>>
}

const english = {
  rootTao: 'Root TAO',
  tao: 'TAO',
  issuer: 'Issuer',
  verifier: 'Verifier',
  operator: 'Operator',
  onboardingNode: 'Onboarding node',
  accreditation: (name: string) => `Accreditation: ${name}`,
}

const nameTexts: Texts<typeof english> = {
  en: english,
  es: {
    rootTao: 'TAO raíz',
    tao: 'TAO',
    issuer: 'Emisor',
    verifier: 'Verificador',
    operator: 'Operador',
    onboardingNode: 'Nodo de alta',
    accreditation: (name) => `Acreditación: ${name}`,
  },
}

/** Names that are not in the seed, by identifier. */
export type NameSource = Iterable<readonly [identifier: string, name: string]>

/** The names of the seeded parts and organizations, and those of the other sources. */
export function createNames(
  language: Language,
  { keys, organizations }: Pick<EnvironmentContext, 'keys' | 'organizations'>,
  ...sources: readonly NameSource[]
): Names {
  const texts = nameTexts[language]
  const { operator, onboardingNode, rootTao, tao, issuer, verifier } = keys
  const members = [
    [rootTao, texts.rootTao],
    [tao, texts.tao],
    [issuer, texts.issuer],
  ] as const
  const known: [string, string][] = [
    ...sources.flatMap((source) => [...source].map(([id, name]): [string, string] => [id, name])),
    ...organizations.map(({ organizationIdentifier, organization }): [string, string] => [
      organizationIdentifier,
      organization,
    ]),
    [operator.address, texts.operator],
    [onboardingNode.address, texts.onboardingNode],
    [verifier.did, texts.verifier],
    [verifier.address, texts.verifier],
    ...members.flatMap(([{ did, address, attributeId }, name]): [string, string][] => [
      [did, name],
      [address, name],
      [attributeId, texts.accreditation(name)],
    ]),
  ]
  // Later entries win, so that no other source renames a seeded part.
  const names = new Map(known.map(([identifier, name]) => [normalize(identifier), name]))
  return {
    of: (identifier) => names.get(normalize(identifier)),
    byDid: Object.fromEntries([...names].filter(([identifier]) => identifier.startsWith('did:'))),
  }
}

/** Addresses and attribute ids are the same in upper and lower case, DIDs are not. */
function normalize(identifier: string): string {
  const isHex = /^(0x)?[0-9a-f]+$/i.test(identifier)
  return isHex ? identifier.toLowerCase().replace(/^0x(?=[0-9a-f]{64}$)/, '') : identifier
}

/** Holders of the console's wallets: by their newest credential, else by the wallet. */
export async function namesOfWallets(
  { list }: Pick<ConsoleWallets, 'list'>,
  environment: string,
): Promise<NameSource> {
  return Promise.all(list(environment).map(nameOfWallet))
}

async function nameOfWallet({ account, name, store }: ConsoleWallet) {
  const jws = parseJws((await store.listCredentials()).at(-1)?.credential ?? '')
  const holder = summarizeCredentialContent(jws.ok ? jws.payload : {})
  const named = [holder.name, holder.organization].filter((text) => text !== undefined)
  return [account.did, named.length > 0 ? named.join(', ') : name] as const
}

/** Whether a value of a message is a DID. */
export const isDid = (value: string): boolean => /^did:[a-z\d]+:[^\s"<>]+$/.test(value)

/**
 * A DID with its name, a button that copies it and, if it is in a registry, a link to its history.
 */
export function didName({ language, environment }: Frame, names: Names, did: string): SafeHtml {
  const name = names.of(did)
  const short = shorten(did, 20, 6)
  const label = name === undefined ? html`<code title="${did}">${short}</code>` : html`${name}`
  const isRegistered = parseDidOrg(did)?.environment === environment
  const shown = isRegistered
    ? html`<a href="/registries/${environment}/identifiers/${encodeURIComponent(did)}">${label}</a>`
    : label
  const copy = copyButton(language, did, short)
  if (name === undefined) return html`<span class="named">${shown}${copy}</span>`
  return html`<span class="named">${shown} <span class="hash"><code class="soft" title="${did}">${short}</code>${copy}</span></span>`
}

/** The names of the clients of the IDP, by their id. */
export function clientNamesOf(
  language: Language,
  context: EnvironmentContext,
): Readonly<Record<string, string | undefined>> {
  const { parts } = exchangesTexts[language]
  return {
    [relyingPartyOf(context).clientId]: parts['relying-party'],
    [brokerOf(context).clientId]: parts['token-issuer'],
  }
}
