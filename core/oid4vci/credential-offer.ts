import { z } from 'zod'
import { plainReasons } from '#core/json/plain-issues.ts'
import { parseJson } from '#core/json/read-json.ts'
import { isWebAddress } from '#core/link/find-link.ts'
import { evaluateShape } from '#core/verification/evaluate-shape.ts'
import {
  evaluateRules,
  type Rule,
  type RuleResults,
  type RuleText,
  type VerificationFailure,
  type VerificationResult,
} from '#core/verification/rules.ts'
import { preAuthorizedCodeGrant } from './token.ts'

/** The PIN that an offer requires. Its members are optional when parsed and always written. */
const zTxCode = z.looseObject({
  length: z.int().positive().optional(),
  input_mode: z.string().optional(),
  description: z.string().optional(),
})

/**
 * The wire form of a credential offer (profile/connector, Credential offer). Unknown members and
 * grants are allowed.
 */
export const zCredentialOffer = z.looseObject({
  credential_issuer: z.url({ protocol: /^https?$/ }),
  credentials: z.array(z.string().min(1)).min(1),
  grants: z
    .looseObject({
      [preAuthorizedCodeGrant]: z
        .looseObject({ 'pre-authorized_code': z.string().min(1), tx_code: zTxCode.optional() })
        .optional(),
    })
    .optional(),
})

export type CredentialOfferWire = z.infer<typeof zCredentialOffer>

export interface TxCode {
  readonly length?: number
  readonly inputMode?: 'numeric' | 'text'
  readonly description?: string
}

/** A credential offer, independent of the dialect. */
export interface CredentialOffer {
  readonly credentialIssuer: string
  /** Ids of entries in the issuer's metadata. */
  readonly credentials: readonly string[]
  readonly preAuthorizedCode?: string
  /** Absent if no PIN is required. */
  readonly txCode?: TxCode
}

/**
 * Creates the wire form of an offer of the pre-authorized code flow (profile/connector, Credential
 * offer). Omits `tx_code` if no PIN is required.
 *
 * @row 1.resources-and-their-fields/credential-offer-object.1..4
 */
export function createCredentialOffer({
  credentialIssuer,
  credentials,
  preAuthorizedCode,
  txCode,
}: CredentialOffer): CredentialOfferWire {
  if (preAuthorizedCode === undefined) {
    return { credential_issuer: credentialIssuer, credentials: [...credentials] }
  }
  const txCodeWire = txCode && {
    ...(txCode.length === undefined ? {} : { length: txCode.length }),
    ...(txCode.inputMode === undefined ? {} : { input_mode: txCode.inputMode }),
    ...(txCode.description === undefined ? {} : { description: txCode.description }),
  }
  return {
    credential_issuer: credentialIssuer,
    credentials: [...credentials],
    grants: {
      [preAuthorizedCodeGrant]: {
        'pre-authorized_code': preAuthorizedCode,
        ...(txCodeWire ? { tx_code: txCodeWire } : {}),
      },
    },
  }
}

const scheme = 'openid-credential-offer://'

/**
 * Creates the link that contains an offer by value (profile/connector, Credential offer).
 *
 * @row 1.resources-and-their-fields/credential-offer-object.5
 */
export function createCredentialOfferUri(offer: CredentialOfferWire): string {
  return `${scheme}?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
}

/**
 * Creates the link that contains the address of an offer (profile/connector, Credential offer).
 *
 * @row 1.resources-and-their-fields/credential-offer-object.6
 */
export function createCredentialOfferReferenceUri(credentialOfferUri: string): string {
  return `${scheme}?credential_offer_uri=${encodeURIComponent(credentialOfferUri)}`
}

const grant = `grants.${preAuthorizedCodeGrant}`

/** The requirements of `zCredentialOffer` as named rules (profile/connector, Credential offer). */
export const credentialOfferRules: readonly RuleText[] = [
  {
    rule: 'offer.shape',
    statement: 'The offer is a JSON object.',
    fix: 'Send the offer as a JSON object. URL-encode it in a link.',
    path: '',
  },
  {
    rule: 'offer.credential-issuer',
    statement: 'credential_issuer is an http or https URL.',
    fix: "Set credential_issuer to the issuer's http or https URL.",
    path: 'credential_issuer',
  },
  {
    rule: 'offer.credentials',
    statement: 'credentials is a list of credential type ids with at least one element.',
    fix: 'Set credentials to an array of ids from credentials_supported in the metadata. Do not use credential_configuration_ids.',
    path: 'credentials',
  },
  {
    rule: 'offer.grants',
    statement: 'grants, if present, is an object.',
    fix: 'Make grants an object with the grant types as member names, or omit it.',
    path: 'grants',
  },
  {
    rule: 'offer.pre-authorized-code',
    statement: 'The grant of the pre-authorized code flow, if present, contains a code.',
    fix: 'Set pre-authorized_code in the grant to the code, a non-empty string.',
    path: grant,
  },
  {
    rule: 'offer.tx-code',
    statement: 'tx_code, if present, is an object with length, input_mode and description.',
    fix: 'Make tx_code an object in which length is a positive integer, and input_mode and description are strings. Omit it if no PIN is required.',
    path: `${grant}.tx_code`,
  },
]

/** Evaluates every rule of a credential offer's JSON value. */
export function evaluateCredentialOffer(value: unknown): RuleResults {
  return evaluateShape(credentialOfferRules, zCredentialOffer.safeParse(value, plainReasons))
}

/** The content of a link: the offer as JSON text, or the address of the offer. */
export type CredentialOfferDelivery =
  | { readonly delivery: 'value'; readonly json: string }
  | { readonly delivery: 'reference'; readonly credentialOfferUri: string }

interface Context {
  readonly url: URL | undefined
  readonly values: readonly string[]
  readonly references: readonly string[]
}

const schemes = ['openid-credential-offer:', 'https:', 'http:']

const schemeRule: Rule<Context> = {
  rule: 'offer.uri',
  statement: `The link uses one of the schemes ${schemes.join(', ')}.`,
  fix: 'Start the link with openid-credential-offer://, or with the https address of a wallet.',
  path: '',
  evaluate: ({ url }, { fail }) => {
    if (!url) fail('this is not a valid link')
    else if (!schemes.includes(url.protocol)) {
      fail(`a link with the scheme ${url.protocol} is not a credential offer`)
    }
  },
}

const deliveryRule: Rule<Context> = {
  rule: 'offer.delivery',
  statement: 'The link contains credential_offer, or the URL of an offer in credential_offer_uri.',
  fix: 'Put either credential_offer or credential_offer_uri into the link, once. Set credential_offer_uri to an http or https URL.',
  path: '',
  evaluate: ({ values, references }, { fail }) => {
    const [reference] = references
    if (values.length + references.length !== 1) {
      fail('the link must contain either credential_offer or credential_offer_uri, once')
    } else if (reference !== undefined && !isWebAddress(reference)) {
      fail('credential_offer_uri is not a valid http or https URL')
    }
  },
}

/** The rules for the link of an offer. */
export const credentialOfferUriRules: readonly Rule<Context>[] = [schemeRule, deliveryRule]

/**
 * Evaluates the rules of an offer's link (profile/connector, Credential offer): `offer.uri`, then
 * `offer.delivery`. Returns its content if both pass.
 */
export function evaluateCredentialOfferUri(
  uri: string,
): RuleResults & { readonly found?: CredentialOfferDelivery } {
  const url = URL.parse(uri) ?? undefined
  const values = url?.searchParams.getAll('credential_offer') ?? []
  const references = url?.searchParams.getAll('credential_offer_uri') ?? []
  const context = { url, values, references }
  const scheme = evaluateRules([schemeRule], context)
  // Without a valid link there is no content to check.
  if (scheme.failures.length > 0) return scheme
  const results = evaluateRules(credentialOfferUriRules, context)
  if (results.failures.length > 0) return results
  const [credentialOfferUri] = references
  const found: CredentialOfferDelivery =
    credentialOfferUri === undefined
      ? { delivery: 'value', json: values[0] ?? '' }
      : { delivery: 'reference', credentialOfferUri }
  return { ...results, found }
}

/**
 * Parses the JSON value of a credential offer. `input_mode` defaults to numeric (OpenID4VCI 4.1.1).
 * Rules: those of `evaluateCredentialOffer`.
 */
export function parseCredentialOffer(
  value: unknown,
): VerificationResult<{ offer: CredentialOffer }> {
  const result = zCredentialOffer.safeParse(value)
  if (!result.success) return { ok: false, failures: evaluateCredentialOffer(value).failures }
  const { credential_issuer, credentials, grants } = result.data
  const grant = grants?.[preAuthorizedCodeGrant]
  return {
    ok: true,
    offer: {
      credentialIssuer: credential_issuer,
      credentials,
      ...(grant ? { preAuthorizedCode: grant['pre-authorized_code'] } : {}),
      ...(grant?.tx_code ? { txCode: pinPromptOf(grant.tx_code) } : {}),
    },
  }
}

function pinPromptOf({
  length,
  input_mode,
  description,
}: {
  length?: number | undefined
  input_mode?: string | undefined
  description?: string | undefined
}): TxCode {
  return {
    // A keyboard with only digits cannot enter a PIN of an unknown kind.
    inputMode: input_mode === undefined || input_mode === 'numeric' ? 'numeric' : 'text',
    ...(length === undefined ? {} : { length }),
    ...(description === undefined ? {} : { description }),
  }
}

export type ParseCredentialOfferUriResult =
  | { readonly ok: true; readonly delivery: 'value'; readonly offer: CredentialOffer }
  | { readonly ok: true; readonly delivery: 'reference'; readonly credentialOfferUri: string }
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

/**
 * Parses the link of an offer, as in a QR code or an email: by value or by reference. For a
 * reference, the caller fetches the address and passes the JSON to `parseCredentialOffer`. Web
 * links with the same parameters are links of wallets that register an https address. Rules:
 * `offer.uri`, `offer.delivery`, and those of `parseCredentialOffer`.
 */
export function parseCredentialOfferUri(uri: string): ParseCredentialOfferUriResult {
  const { failures, found } = evaluateCredentialOfferUri(uri)
  if (!found) return { ok: false, failures }
  if (found.delivery === 'reference') return { ok: true, ...found }
  const result = parseCredentialOffer(parseJson(found.json))
  return result.ok ? { ok: true, delivery: 'value', offer: result.offer } : result
}
