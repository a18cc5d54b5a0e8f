import { parseDidUrl } from '#core/did/verification-method-id.ts'
import { environmentOfSigner } from '#core/lear-credential/environment-of-signer.ts'
import { bitAt } from '#core/status-list/bit-at.ts'
import { decodeBitstring } from '#core/status-list/decode-bitstring.ts'
import { statusListRules } from '#core/status-list/status-list-rules.ts'
import { findStatusListForm, zStatusListCredential } from '#core/status-list/z-status-list.ts'
import { evaluateRules } from '#core/verification/evaluate-rules.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf, timeOf } from '../facts-of.ts'
import { judgeIn } from '../judge-in.ts'
import { asObject, type InputJwt } from '../read-input.ts'

/** A status list credential: a JWT. */
export const statusListKind: ExplainableKind = {
  kind: 'status-list',
  title: 'status list credential',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is no JWT: ${jwtProblem}`)
    const vc = asObject(jwt.jws.payload.vc)
    const types = [vc?.type].flat()
    const type = types.find((name) => typeof name === 'string' && /StatusList/.test(name))
    const by =
      type === undefined
        ? asObject(vc?.credentialSubject)?.encodedList === undefined
          ? undefined
          : 'a JWT whose credentialSubject has encodedList'
        : `a JWT with a vc of type ${String(type)}`
    if (by === undefined) return notRecognised('the JWT has no status list in its vc claim')
    return { ok: true, by, explain: (options) => explainStatusList(jwt, options) }
  },
}

async function explainStatusList(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
): Promise<ExplainedContent> {
  const { sources } = judgeIn(options, environmentOfSigner(compact))
  const { kid } = jws.header
  const issuerDid = typeof kid === 'string' ? parseDidUrl(kid)?.did : undefined
  const list = zStatusListCredential.safeParse(jws.payload).data
  const form = list && findStatusListForm(list.vc.type)
  const issuerDocument = issuerDid
    ? await sources.resolveDidDocument(issuerDid)
    : ({ ok: false, kind: 'not-found', reason: 'kid names no key of a DID' } as const)
  const context = { jws, entry: undefined, form, issuerDid, issuerDocument, now: options.now }
  const bits = list && decodeBitstring(list.vc.credentialSubject.encodedList, form?.encoding)
  return {
    ...evaluateRules(statusListRules, context),
    facts: factsOf([
      ['Issuer', jws.payload.iss],
      ['List', list?.vc.id],
      ['Purpose', list?.vc.credentialSubject.statusPurpose],
      ['Entries', bits && bits.length * 8],
      ['Set', bits && describeSet(bits)],
      ['Valid until', list?.vc.validUntil ?? timeOf(list?.exp)],
    ]),
    content: { header: jws.header, payload: jws.payload },
  }
}

const mostListed = 10

function describeSet(bits: Uint8Array): string {
  const indexes: number[] = []
  let count = 0
  for (let byte = 0; byte < bits.length; byte++) {
    if (bits[byte] === 0) continue
    for (let index = byte * 8; index < byte * 8 + 8; index++) {
      if (!bitAt(bits, index)) continue
      count += 1
      if (indexes.length < mostListed) indexes.push(index)
    }
  }
  if (count === 0) return 'none'
  return `${count}: ${indexes.join(', ')}${count > mostListed ? ', …' : ''}`
}
