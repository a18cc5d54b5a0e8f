import { environmentOfSigner } from '#core/lear-credential/environment-of-signer.ts'
import { summarizeCredentialContent } from '#core/lear-credential/summarize-credential-content.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'
import type { TrustStep } from '#core/trust/walk-trust-chain.ts'
import { createExplanation } from '../create-explanation.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import type { Explanation } from '../explanation.ts'
import { factsOf, timeOf } from '../facts-of.ts'
import { judgeIn } from '../judge-in.ts'
import { asObject, type ExplanationInput, type InputJwt, readJwt } from '../read-input.ts'

const title = 'verifiable credential'

/** A credential: a JWT, alone or in the answer of a credential endpoint. */
export const credentialKind: ExplainableKind = {
  kind: 'credential',
  title,
  recognise: (input) => {
    const { jwt, json } = input
    if (jwt && asObject(jwt.jws.payload.vc)) {
      return {
        ok: true,
        by: 'a JWT with a vc claim',
        explain: (options) => explainCredential(jwt, options),
      }
    }
    const inside = credentialIn(input)
    if (inside) {
      return {
        ok: true,
        by: 'a JSON message with a credential in it',
        explain: async (options) => ({
          ...(await explainCredential(inside, options)),
          dialect: { kind: 'credential-response', message: json },
        }),
      }
    }
    if (json && ('credentialSubject' in json || 'vc' in json)) {
      return notRecognised('the content of a credential, without the JWT that signs it')
    }
    return notRecognised(jwt ? 'the JWT has no vc claim' : `it is no JWT: ${input.jwtProblem}`)
  },
}

/** Out of the answer of a credential endpoint, in the documents' form or that of OpenID4VCI 1.0. */
function credentialIn({ json }: ExplanationInput): InputJwt | undefined {
  const [first] = Array.isArray(json?.credentials) ? json.credentials : []
  const credential = json?.credential ?? asObject(first)?.credential
  const jwt = typeof credential === 'string' ? readJwt(credential) : undefined
  return jwt?.ok ? jwt.jwt : undefined
}

/** The explanation of a credential inside a presentation by the given holder. */
export async function explainPresentedCredential(
  credential: string,
  options: ExplainOptions,
  holderDid: string | undefined,
): Promise<Explanation> {
  const read = readJwt(credential)
  const recognisedBy = 'an element of vp.verifiableCredential'
  const content = read.ok
    ? await explainCredential(read.jwt, options, holderDid)
    : await explainUnreadable(credential, options)
  return createExplanation({ kind: credentialKind.kind, title, recognisedBy }, content)
}

async function explainCredential(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
  holderDid = options.holderDid,
): Promise<ExplainedContent> {
  const { policy, sources } = judgeIn(options, environmentOfSigner(compact))
  const { failures, checked, trustChain } = await verifyLearCredential({
    credential: compact,
    policy,
    ...(holderDid === undefined ? {} : { holderDid }),
    now: options.now,
    ...sources,
  })
  const said = summarizeCredentialContent(jws.payload)
  return {
    failures,
    checked,
    facts: factsOf([
      ['Type', said.types.at(-1)],
      ['Organization', [said.organization, said.organizationIdentifier]],
      ['Holder', [said.name, said.email]],
      ['Employee', said.employeeId],
      ...said.powers.map((power, index) => [index === 0 ? 'Powers' : '', power] as const),
      ['Holder DID', said.holder],
      ['Issuer', said.issuer],
      ['Issued', timeOf(jws.payload.iat)],
      ['Valid', periodOf(said)],
      ['Credential', said.credentialId],
      ['Trust chain', trustChain.length === 0 ? undefined : describeChain(trustChain)],
    ]),
    content: { header: jws.header, payload: jws.payload },
  }
}

async function explainUnreadable(credential: string, options: ExplainOptions) {
  const { policy, sources } = judgeIn(options, 'pre')
  const { now } = options
  const results = await verifyLearCredential({ credential, policy, now, ...sources })
  return { ...results, facts: [], content: undefined }
}

function periodOf({ validFrom, validUntil }: ReturnType<typeof summarizeCredentialContent>) {
  if (validFrom === undefined && validUntil === undefined) return undefined
  return `${timeOf(validFrom) ?? '…'} to ${timeOf(validUntil) ?? '…'}`
}

/** `TI ← TAO ← RTAO`. */
function describeChain(steps: readonly TrustStep[]): string {
  return steps.map(({ issuerType, did }) => `${issuerType} ${did}`).join(' ← ')
}
