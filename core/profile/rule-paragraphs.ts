import { paragraphOf } from './paragraph.ts'

const resources = '1.resources-and-their-fields'
const schema = `${resources}/credential-schema-rules-checked-on-presentation`
const offer = `${resources}/credential-offer-object`
const metadata = `${resources}/issuer-metadata`
const proof = `${resources}/proof-of-possession-jwt`
const request = `${resources}/presentation-authorization-request`
const presentation = `${resources}/presentation-token`
const attribute = '2.resources-and-their-fields/tir-attribute'
const didDocument = '2.resources-and-their-fields/did-document'

/** The statement behind a rule, or `PAGE.md#HEADING` if only a section describes it. */
const paragraphs: Readonly<Record<string, string>> = {
  'credential.power': `${schema}.1`,
  'credential.employee-id': `${schema}.2`,
  'credential.context': `${schema}.3`,
  'credential.type-chain': `${schema}.4`,
  'credential.expiry': `${schema}.5`,
  'credential.algorithm': `${schema}.6`,
  'credential.issuer': `${schema}.6`,
  'credential.issuer-document': `${schema}.6`,
  'credential.issuer-key': `${schema}.6`,
  'credential.signature': `${schema}.6`,
  'credential.type': `${schema}.7`,
  'credential.terms-of-use': `${schema}.8`,
  'credential.claims': `${request}.7`,
  'offer.uri': `${offer}.5`,
  'offer.delivery': `${offer}.5`,
  'offer.reference': `${offer}.6`,
  'offer.credential-issuer': `${offer}.1`,
  'offer.credentials': `${offer}.2`,
  'offer.grants': `${offer}.3`,
  'offer.pre-authorized-code': `${offer}.3`,
  'offer.tx-code': `${offer}.4`,
  'metadata.credential-issuer': `${metadata}.1`,
  'metadata.issuer': `${metadata}.1`,
  'metadata.credential-endpoint': `${metadata}.2`,
  'metadata.credentials-supported': `${metadata}.3`,
  'proof.typ': `${proof}.1`,
  'proof.alg': `${proof}.1`,
  'proof.kid': `${proof}.1`,
  'proof.iss': `${proof}.2`,
  'proof.aud': `${proof}.2`,
  'proof.iat': `${proof}.2`,
  'proof.nonce': `${proof}.2`,
  'proof.nonce-missing': `${proof}.2`,
  'proof.did-method': 'wallet.md#keys',
  'proof.curve': 'wallet.md#keys',
  'request.uri': `${request}.8`,
  'request.delivery': `${request}.8`,
  'request.reference': `${request}.8`,
  'request.format': `${request}.9`,
  'request.response-type': `${request}.1`,
  'request.response-mode': `${request}.2`,
  'request.response-uri': `${request}.3`,
  'request.client-id': `${request}.4`,
  'request.nonce': `${request}.5`,
  'request.presentation-definition': `${request}.6`,
  'request.dcql-query': `${request}.7`,
  'presentation.typ': `${presentation}.1`,
  'presentation.algorithm': `${presentation}.1`,
  'presentation.kid': `${presentation}.1`,
  'presentation.issuer': `${presentation}.2`,
  'presentation.audience': `${presentation}.2`,
  'presentation.nonce': `${presentation}.2`,
  'presentation.issued-at': `${presentation}.2`,
  'presentation.expiry': `${presentation}.2`,
  'presentation.context': `${presentation}.2`,
  'presentation.type': `${presentation}.2`,
  'presentation.credentials': `${presentation}.2`,
  'attribute.did': `${attribute}.1`,
  'attribute.body': `${attribute}.2`,
  'attribute.hash': `${attribute}.3`,
  'attribute.issuer-type': `${attribute}.4`,
  'attribute.root-tao': `${attribute}.5`,
  'attribute.tao': `${attribute}.6`,
  'did-document.method-type': `${didDocument}.2`,
  'did-document.key': `${didDocument}.2`,
}

/** For the other rules of a family. */
const families: Readonly<Record<string, string>> = {
  account: 'idp.md#claims',
  accreditation: 'trust-chain.md#publish-an-accreditation',
  attribute: 'tir.md#read-an-accreditation',
  credential: 'credential.md#rules',
  'credential-response': 'connector.md#credential',
  'did-document': `${didDocument}.1`,
  metadata: 'connector.md#issuer-metadata',
  offer: 'connector.md#credential-offer',
  presentation: 'verifier.md#presentation',
  proof: 'connector.md#proof-of-possession',
  request: 'verifier.md#presentation-request',
  response: 'verifier.md#response-endpoint',
  'status-list': 'credential.md#rules',
  submission: `${resources}/presentation-submission.1`,
  'token-response': 'connector.md#token',
  trust: 'trust-chain.md#walk-the-chain',
}

/**
 * The paragraph of the profile that describes a verification rule, such as
 * `docs/profile/credential.md#rules`; undefined for a rule of an unknown family.
 */
export function paragraphOfRule(rule: string): string | undefined {
  const place = paragraphs[rule] ?? families[rule.split('.')[0] ?? '']
  if (place === undefined) return undefined
  return place.includes('#') ? `docs/profile/${place}` : paragraphOf(place)
}
