import type { DidEnvironment } from '#core/did/did-org.ts'
import { parseDidOrg } from '#core/did/did-org.ts'
import { evaluateSignedRequest } from '#core/oid4vp/authorization-request/verify-signed-request.ts'
import { signedRequestType } from '#core/oid4vp/authorization-request/z-authorization-request.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { judgeIn } from '../judge-in.ts'
import type { InputJwt } from '../read-input.ts'
import { requestFacts } from './request-facts.ts'

/** A presentation request as a signed JWT. */
export const signedRequestKind: ExplainableKind = {
  kind: 'signed-authorization-request',
  title: 'signed presentation request',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is no JWT: ${jwtProblem}`)
    const { header, payload } = jwt.jws
    const by =
      header.typ === signedRequestType
        ? `a JWT of typ ${signedRequestType}`
        : ['response_type', 'dcql_query', 'presentation_definition'].some((name) => name in payload)
          ? 'a JWT with the parameters of a presentation request'
          : undefined
    if (by === undefined) {
      return notRecognised(`the JWT is neither of typ ${signedRequestType} nor has response_type`)
    }
    return { ok: true, by, explain: (options) => explainSignedRequest(jwt, options) }
  },
}

/** `clientId` is the one that the link around the request names, where it names one. */
export async function explainSignedRequest(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
  clientId?: string,
): Promise<ExplainedContent> {
  const { sources } = judgeIn(options, environmentOf(jws.payload.client_id))
  const { failures, checked } = await evaluateSignedRequest({
    jwt: compact,
    ...(clientId === undefined ? {} : { clientId }),
    now: options.now,
    resolveDidDocument: sources.resolveDidDocument,
  })
  return {
    failures,
    checked,
    facts: requestFacts(jws.payload),
    content: { header: jws.header, payload: jws.payload },
    dialect: { kind: 'authorization-request', message: jws.payload },
  }
}

function environmentOf(clientId: unknown): DidEnvironment {
  return (typeof clientId === 'string' && parseDidOrg(clientId)?.environment) || 'pre'
}
