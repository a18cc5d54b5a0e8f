import { environmentOfSigner } from '#core/lear-credential/environment-of-signer.ts'
import { evaluateAccreditation } from '#core/trust/evaluate-accreditation.ts'
import { zAccreditation } from '#core/trust/z-accreditation.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf, timeOf } from '../facts-of.ts'
import { judgeIn } from '../judge-in.ts'
import { asObject, type InputJwt, type JsonObject } from '../read-input.ts'

/** An accreditation: the JWT alone, as a TAO signs it. */
export const accreditationKind: ExplainableKind = {
  kind: 'accreditation',
  title: 'accreditation',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is no JWT: ${jwtProblem}`)
    const subject = asObject(asObject(jwt.jws.payload.vc)?.credentialSubject)
    const name = ['accreditedFor', 'reservedAttributeId'].find(
      (member) => member in (subject ?? {}),
    )
    if (name === undefined) {
      return notRecognised('the JWT has no vc.credentialSubject.accreditedFor')
    }
    return {
      ok: true,
      by: `a JWT whose credentialSubject has ${name}`,
      explain: (options) => explainAccreditation(jwt, options),
    }
  },
}

async function explainAccreditation(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
): Promise<ExplainedContent> {
  const { policy, sources } = judgeIn(options, environmentOfSigner(compact))
  const { failures, checked } = await evaluateAccreditation({
    ...policy,
    jws,
    credentialType: policy.acceptedType,
    now: options.now,
    ...sources,
  })
  return {
    failures,
    checked,
    facts: accreditationFacts(jws.payload),
    content: { header: jws.header, payload: jws.payload },
  }
}

/** What an accreditation says, from its payload. */
export function accreditationFacts(payload: JsonObject) {
  const accreditation = zAccreditation.safeParse(payload)
  if (!accreditation.success) return []
  const { iss, exp, vc } = accreditation.data
  const { id, reservedAttributeId, accreditedFor } = vc.credentialSubject
  return factsOf([
    ['Accredits', id],
    ['For', accreditedFor.flatMap(({ types }) => types)],
    ['By', iss],
    ['Attribute', reservedAttributeId],
    ['Made', timeOf(payload.iat)],
    ['Valid until', vc.validUntil ?? timeOf(exp)],
  ])
}
