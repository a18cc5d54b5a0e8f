import type { JsonObject } from '#core/json/json-object.ts'
import {
  evaluateCredentialOffer,
  evaluateCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { evaluateIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import {
  checkedProofRules,
  proofOfPossessionType,
  verifyProofOfPossession,
} from '#core/oid4vci/proof-of-possession.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import type { RuleText } from '#core/verification/rules.ts'
import {
  type ExplainableKind,
  type ExplainedContent,
  type ExplainOptions,
  factsOf,
  joinContents,
  notRecognised,
  timeOf,
} from '../explanation.ts'
import { followReference } from '../policy-and-sources.ts'
import { asObject, type InputJwt, parseJson, readJwt } from '../read-input.ts'

/** A credential offer: its link, alone or within other text, or its JSON. */
export const credentialOfferKind: ExplainableKind = {
  kind: 'credential-offer',
  title: 'credential offer',
  recognise: ({ link, json, jsonProblem }) => {
    if (link?.kind === 'offer') {
      return {
        ok: true,
        by: 'a link of a credential offer',
        explain: (options) => explainLink(link.link, options),
      }
    }
    const offer = json && offerIn(json)
    if (offer) {
      return { ok: true, by: 'the JSON of an offer', explain: () => explainOffer(offer) }
    }
    return notRecognised(
      json
        ? 'the JSON has no credential_issuer with credentials or grants'
        : `it contains no openid-credential-offer: link and is not the JSON of an offer: ${jsonProblem}`,
    )
  },
}

const ownMembers = ['credentials', 'grants', 'credential_configuration_ids', 'user_pin_required']

function offerIn(json: JsonObject): JsonObject | undefined {
  const inside = asObject(json.credential_offer)
  if (inside) return inside
  // An issuer's metadata has a credential_issuer as well.
  if ('credential_endpoint' in json) return undefined
  return ownMembers.some((name) => name in json) && 'credential_issuer' in json ? json : undefined
}

/** The rule for the address in a link, which is fetched only if fetching is allowed. */
export const offerReferenceRule: RuleText = {
  rule: 'offer.reference',
  statement: 'The offer can be fetched from credential_offer_uri.',
  fix: 'Serve the JSON of the offer at credential_offer_uri until it expires.',
  path: 'credential_offer_uri',
}

async function explainLink(link: string, options: ExplainOptions): Promise<ExplainedContent> {
  const { found, ...carried } = evaluateCredentialOfferUri(link)
  if (!found) return { ...carried, facts: [], content: undefined }
  if (found.delivery === 'value') return joinContents(carried, explainText(found.json))
  const followed = await followReference(options, offerReferenceRule, found.credentialOfferUri)
  const reached = joinContents(carried, followed)
  return followed.text === undefined ? reached : joinContents(reached, explainText(followed.text))
}

function explainText(text: string): ExplainedContent {
  const json = parseJson(text)
  return explainOffer(json.ok ? json.value : undefined)
}

function explainOffer(value: unknown): ExplainedContent {
  const { credential_issuer, credentials, grants } = asObject(value) ?? {}
  const grant = asObject(asObject(grants)?.[preAuthorizedCodeGrant])
  const pin = asObject(grant?.tx_code)
  return {
    ...evaluateCredentialOffer(value),
    facts: factsOf([
      ['Issuer', credential_issuer],
      ['Credentials', credentials],
      ['Flow', grant ? 'pre-authorized code' : Object.keys(asObject(grants) ?? {})],
      ['PIN', pin && describePin(pin)],
    ]),
    content: value,
    dialect: { kind: 'credential-offer', message: value },
  }
}

function describePin({ length, input_mode, description }: JsonObject): string {
  const kind = input_mode === 'text' ? 'characters' : 'digits'
  const size = typeof length === 'number' ? `${length} ${kind}` : kind
  return typeof description === 'string' ? `${size} (${description})` : size
}

const members = [
  'credential_endpoint',
  'credentials_supported',
  'credential_configurations_supported',
]

/** The metadata of a credential issuer. */
export const issuerMetadataKind: ExplainableKind = {
  kind: 'issuer-metadata',
  title: 'credential issuer metadata',
  recognise: ({ json, jsonProblem }) => {
    if (!json) return notRecognised(`it is not a JSON object: ${jsonProblem}`)
    const name = members.find((member) => member in json)
    if (name === undefined)
      return notRecognised(`the JSON does not contain any of ${members.join(', ')}`)
    return { ok: true, by: `JSON with ${name}`, explain: (options) => explain(json, options) }
  },
}

function explain(value: JsonObject, { credentialIssuer }: ExplainOptions): ExplainedContent {
  const supported = Array.isArray(value.credentials_supported) ? value.credentials_supported : []
  return {
    ...evaluateIssuerMetadata(value, credentialIssuer),
    facts: factsOf([
      ['Issuer', value.credential_issuer],
      ['Credential endpoint', value.credential_endpoint],
      ['Token endpoint', value.token_endpoint],
      [
        'Credentials',
        supported.slice(0, 16).map((entry: unknown) => {
          const { id, format } = asObject(entry) ?? {}
          return `${String(id)} (${String(format)})`
        }),
      ],
    ]),
    content: value,
    dialect: { kind: 'issuer-metadata', message: value },
  }
}

/** A proof of possession: the JWT, alone or in a credential request. */
export const proofOfPossessionKind: ExplainableKind = {
  kind: 'proof-of-possession',
  title: 'proof of possession',
  recognise: ({ jwt, json, jwtProblem }) => {
    if (jwt?.jws.header.typ === proofOfPossessionType) {
      return {
        ok: true,
        by: `a JWT of typ ${proofOfPossessionType}`,
        explain: (options) => explainProof(jwt, options),
      }
    }
    const { jwt: inside } = asObject(json?.proof) ?? {}
    const proof = typeof inside === 'string' ? readJwt(inside) : undefined
    if (proof?.ok) {
      return {
        ok: true,
        by: 'a credential request with a proof',
        explain: (options) => ({
          ...explainProof(proof.jwt, options),
          dialect: { kind: 'credential-request', message: json },
        }),
      }
    }
    return notRecognised(
      jwt
        ? `the JWT is not of typ ${proofOfPossessionType}`
        : `it is neither a JWT (${jwtProblem}) nor JSON with a proof`,
    )
  },
}

function explainProof({ compact, jws }: InputJwt, options: ExplainOptions): ExplainedContent {
  const { audience, nonce, now } = options
  const result = verifyProofOfPossession({
    jwt: compact,
    credentialIssuer: audience,
    cNonce: nonce === undefined ? 'not-known' : { value: nonce, expiresAt: Infinity },
    now,
  })
  const failures = result.ok ? [] : result.failures
  const { iss, aud, iat } = jws.payload
  return {
    failures,
    checked: checkedProofRules(failures),
    facts: factsOf([
      ['Holder', iss],
      ['For', aud],
      ['Nonce', jws.payload.nonce],
      ['Created', timeOf(iat)],
      ['Algorithm', jws.header.alg],
    ]),
    content: { header: jws.header, payload: jws.payload },
  }
}
