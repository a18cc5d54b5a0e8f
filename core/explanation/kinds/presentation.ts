import type { ParsedJws } from '#core/crypto/jws.ts'
import { environmentOfSigner } from '#core/did/did-org.ts'
import { summarizeCredentialContent } from '#core/lear-credential/lear-credential.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'
import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { verifyVpToken, vpTokenFormRule } from '#core/oid4vp/vp-token.ts'
import type { TrustStep } from '#core/trust/trust-chain.ts'
import { evaluateRules } from '#core/verification/rules.ts'
import { createExplanation } from '../create-explanation.ts'
import {
  type ExplainableKind,
  type ExplainedContent,
  type ExplainOptions,
  type Explanation,
  factsOf,
  notRecognised,
  timeOf,
} from '../explanation.ts'
import { createPolicyAndSources } from '../policy-and-sources.ts'
import { asObject, type ExplanationInput, type InputJwt, readJwt } from '../read-input.ts'

const title = 'verifiable credential'

/** A credential: a JWT, alone or in the response of a credential endpoint. */
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
    return notRecognised(jwt ? 'the JWT has no vc claim' : `it is not a JWT: ${input.jwtProblem}`)
  },
}

/**
 * Reads the credential from the response of a credential endpoint, in the form of the profile or of
 * OpenID4VCI 1.0.
 */
function credentialIn({ json }: ExplanationInput): InputJwt | undefined {
  const [first] = Array.isArray(json?.credentials) ? json.credentials : []
  const credential = json?.credential ?? asObject(first)?.credential
  const jwt = typeof credential === 'string' ? readJwt(credential) : undefined
  return jwt?.ok ? jwt.jwt : undefined
}

/** Explains a credential in a presentation by the given holder. */
async function explainPresentedCredential(
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
  const { policy, sources } = createPolicyAndSources(options, environmentOfSigner(compact))
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
  const { policy, sources } = createPolicyAndSources(options, 'pre')
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

/** The parts of a wallet's response that are present. */
interface Response {
  /** The value that was sent: a JWT in the profile's form. */
  readonly vpToken: unknown
  /** The form field's text; undefined if the input is only the JWT. */
  readonly presentationSubmission: string | undefined
  /** The complete response; undefined if the input is only the JWT. */
  readonly post: unknown
}

/**
 * A presentation: only the vp_token, or the complete response of a wallet, as a form or as JSON.
 */
export const presentationKind: ExplainableKind = {
  kind: 'presentation',
  title: 'presentation',
  recognise: (input) => {
    const { jwt } = input
    if (jwt && 'vp' in jwt.jws.payload) {
      const response = { vpToken: jwt.compact, presentationSubmission: undefined, post: undefined }
      return {
        ok: true,
        by: 'a JWT with a vp claim',
        explain: (options) => explainPresentation(response, options),
      }
    }
    const response = responseIn(input)
    if (response) {
      return {
        ok: true,
        by: input.json ? 'JSON with vp_token' : 'a posted form with vp_token',
        explain: (options) => explainPresentation(response, options),
      }
    }
    return notRecognised(
      jwt ? 'the JWT has no vp claim' : 'it is neither a JWT, nor a form or JSON with vp_token',
    )
  },
}

function responseIn({ json, form }: ExplanationInput): Response | undefined {
  const posted = form?.get('vp_token')
  if (form && typeof posted === 'string') {
    const presentationSubmission = form.get('presentation_submission') ?? undefined
    const post = Object.fromEntries(form)
    return { vpToken: parseObject(posted) ?? posted, presentationSubmission, post }
  }
  if (!json || json.vp_token === undefined) return undefined
  const submission = json.presentation_submission
  return {
    vpToken: json.vp_token,
    presentationSubmission:
      submission === undefined || typeof submission === 'string'
        ? submission
        : JSON.stringify(submission),
    post: json,
  }
}

/** OpenID4VP 1.0 posts an object in the field. */
function parseObject(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function explainPresentation(
  { vpToken, presentationSubmission, post }: Response,
  options: ExplainOptions,
): Promise<ExplainedContent> {
  const form = evaluateRules([vpTokenFormRule], vpToken)
  const jws = firstJwt(vpToken)
  const { audience, nonce, now, queryId } = options
  const token = jws ? verifyVpToken({ jws, audience, nonce, now }) : undefined
  const submission = post
    ? verifyPresentationSubmission({ presentationSubmission, queryId })
    : { failures: [], checked: [] }
  const parts = (token?.credentials ?? [])
    .slice(0, 16)
    .map((credential) => explainPresentedCredential(credential, options, token?.holderDid))
  const { iss, aud, nonce: ownNonce, iat, exp } = jws?.payload ?? {}
  return {
    failures: [...form.failures, ...(token?.failures ?? []), ...submission.failures],
    checked: [...form.checked, ...(token?.checked ?? []), ...submission.checked],
    facts: factsOf([
      ['Holder', iss],
      ['For', aud],
      ['Nonce', ownNonce],
      ['Created', timeOf(iat)],
      ['Expires', timeOf(exp)],
      ['Algorithm', jws?.header.alg],
      ['Credentials', token?.credentials.length],
    ]),
    notes: post ? [] : ['Only the JWT was given, so the presentation_submission was not checked.'],
    content: {
      ...(jws ? { header: jws.header, payload: jws.payload } : { vp_token: vpToken }),
      ...(presentationSubmission === undefined
        ? {}
        : { presentation_submission: parseObject(presentationSubmission) }),
    },
    parts: await Promise.all(parts),
    ...(post ? { dialect: { kind: 'presentation-response', message: post } } : {}),
  }
}

/** Finds the JWT, also in the forms that other revisions use. */
function firstJwt(vpToken: unknown): ParsedJws | undefined {
  const values = asObject(vpToken)
    ? Object.values(asObject(vpToken) ?? {}).flat()
    : [vpToken].flat()
  for (const value of values.slice(0, 16)) {
    const jwt = typeof value === 'string' ? readJwt(value) : undefined
    if (jwt?.ok) return jwt.jwt.jws
  }
  return undefined
}
