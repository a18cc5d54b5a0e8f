import { evaluateCredentialOffer } from '#core/oid4vci/credential-offer/evaluate-credential-offer.ts'
import { evaluateCredentialOfferUri } from '#core/oid4vci/credential-offer/evaluate-credential-offer-uri.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/grant-types.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf } from '../facts-of.ts'
import { followReference } from '../follow-reference.ts'
import { joinContents } from '../join-contents.ts'
import { asObject, type JsonObject, parseJson } from '../read-input.ts'

/** A credential offer: its link, alone or in a text, or its JSON. */
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
        : `there is no openid-credential-offer: link in it, and as JSON ${jsonProblem}`,
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

async function explainLink(link: string, options: ExplainOptions): Promise<ExplainedContent> {
  const { found, ...carried } = evaluateCredentialOfferUri(link)
  if (!found) return { ...carried, facts: [], content: undefined }
  if (found.delivery === 'value') return joinContents(carried, explainText(found.json))
  const followed = await followReference(options, {
    rule: 'offer.reference',
    statement: 'The offer can be fetched from credential_offer_uri.',
    path: 'credential_offer_uri',
    url: found.credentialOfferUri,
  })
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
