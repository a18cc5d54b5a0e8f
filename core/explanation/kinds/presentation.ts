import type { ParsedJws } from '#core/crypto/parse-jws.ts'
import { verifyPresentationSubmission } from '#core/oid4vp/presentation-submission/verify-presentation-submission.ts'
import { verifyVpToken } from '#core/oid4vp/vp-token/verify-vp-token.ts'
import { vpTokenFormRule } from '#core/oid4vp/vp-token/vp-token-form-rule.ts'
import { evaluateRules } from '#core/verification/evaluate-rules.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf, timeOf } from '../facts-of.ts'
import { asObject, type ExplanationInput, readJwt } from '../read-input.ts'
import { explainPresentedCredential } from './credential.ts'

/** What a wallet posts, as far as it is there. */
interface Response {
  /** As it was sent: a JWT in the documents' form. */
  readonly vpToken: unknown
  /** The form field's text; undefined where the input is the JWT alone. */
  readonly presentationSubmission: string | undefined
  /** All that was posted; undefined where the input is the JWT alone. */
  readonly post: unknown
}

/** A presentation: the vp_token alone, or all that a wallet posts, as a form or as JSON. */
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
  const token = jws ? await verifyVpToken({ jws, audience, nonce, now }) : undefined
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
      ['Made', timeOf(iat)],
      ['Expires', timeOf(exp)],
      ['Algorithm', jws?.header.alg],
      ['Credentials', token?.credentials.length],
    ]),
    notes: post ? [] : ['The JWT alone was given: the presentation_submission was not looked at.'],
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

/** The JWT, also out of the forms that other revisions send. */
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
