import { z } from 'zod'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { parseJws, signJws } from '#core/crypto/jws.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import {
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { refusedByService } from '#testbed/control/errors.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { CreatedCode, TestCode } from './test-codes.ts'

type Members = Readonly<Record<string, unknown>>

interface RequestCode extends TestCode {
  /** Changes the parameters and claims; undefined removes a member. */
  readonly change?: (request: Members, now: number) => Members
  /** Changes the signed request. */
  readonly changeJwt?: (jwt: string) => string
  /** Names this client_id in the link. */
  readonly linkClientId?: string
  /** Sends the parameters without a signature. */
  readonly unsigned?: true
}

const queryWith = (request: Members, members: Members): Members => {
  const { credentials = [] } = request.dcql_query as { credentials?: readonly Members[] }
  return { ...request, dcql_query: { credentials: [{ ...credentials[0], ...members }] } }
}

/** Flips a bit of the signature. */
function breakSignature(jwt: string): string {
  const at = jwt.lastIndexOf('.') + 10
  return `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`
}

/** Presentation requests to test a wallet with, signed by the verifier of the environment. */
export const requestCodes: readonly RequestCode[] = [
  {
    name: 'request-valid',
    texts: {
      en: { title: 'Valid request', about: 'The wallet presents the credential of the request.' },
      es: { title: 'Petición válida', about: 'La cartera presenta la credencial que se pide.' },
    },
  },
  {
    name: 'request-bad-signature',
    rejected: true,
    rule: 'request.signature',
    texts: {
      en: { title: 'Invalid signature', about: 'One bit of the signature is wrong.' },
      es: { title: 'Firma no válida', about: 'Un bit de la firma es incorrecto.' },
    },
    changeJwt: breakSignature,
  },
  {
    name: 'request-expired',
    rejected: true,
    rule: 'request.expiry',
    texts: {
      en: { title: 'Expired request', about: 'The request expired an hour ago.' },
      es: { title: 'Petición caducada', about: 'La petición caducó hace una hora.' },
    },
    change: (request, now) => ({ ...request, iat: now - 7200, exp: now - 3600 }),
  },
  {
    name: 'request-of-another-client',
    rejected: true,
    rule: 'request.client-id',
    texts: {
      en: {
        title: 'Another client_id in the link',
        about: 'The verifiers in the link and in the signed request differ.',
      },
      es: {
        title: 'Otro client_id en el enlace',
        about: 'El verificador del enlace y el de la petición firmada son distintos.',
      },
    },
    linkClientId: 'did:org:uc-pre:z1AnotherVerifier',
  },
  {
    name: 'request-without-nonce',
    rejected: true,
    rule: 'request.nonce',
    texts: {
      en: {
        title: 'No nonce',
        about: 'Without a nonce, a recorded presentation can be used again.',
      },
      es: { title: 'Sin nonce', about: 'Sin nonce se puede reutilizar una presentación grabada.' },
    },
    change: (request) => ({ ...request, nonce: undefined }),
  },
  {
    name: 'request-for-code',
    rejected: true,
    rule: 'request.response-type',
    texts: {
      en: { title: 'Another response_type', about: 'response_type is code instead of vp_token.' },
      es: { title: 'Otro response_type', about: 'response_type es code en lugar de vp_token.' },
    },
    change: (request) => ({ ...request, response_type: 'code' }),
  },
  {
    name: 'request-by-fragment',
    rejected: true,
    rule: 'request.response-mode',
    texts: {
      en: {
        title: 'Another response_mode',
        about: 'response_mode is fragment instead of direct_post.',
      },
      es: {
        title: 'Otro response_mode',
        about: 'response_mode es fragment en lugar de direct_post.',
      },
    },
    change: (request) => ({ ...request, response_mode: 'fragment' }),
  },
  {
    name: 'request-with-definition',
    rejected: true,
    rule: 'request.presentation-definition',
    texts: {
      en: {
        title: 'presentation_definition',
        about: 'The request has a presentation_definition instead of dcql_query.',
      },
      es: {
        title: 'presentation_definition',
        about: 'La petición contiene presentation_definition en lugar de dcql_query.',
      },
    },
    change: (request) => ({
      ...request,
      dcql_query: undefined,
      presentation_definition: { id: 'definition', input_descriptors: [] },
    }),
  },
  {
    name: 'request-with-redirect-uri',
    rejected: true,
    rule: 'request.redirect-uri',
    texts: {
      en: {
        title: 'redirect_uri next to direct_post',
        about: 'The request names two destinations for the response.',
      },
      es: {
        title: 'redirect_uri junto a direct_post',
        about: 'La petición nombra dos destinos para la respuesta.',
      },
    },
    change: (request) => ({ ...request, redirect_uri: 'https://verifier.example/cb' }),
  },
  {
    name: 'request-for-another-format',
    rejected: true,
    rule: 'request.dcql-query',
    texts: {
      en: { title: 'Another format', about: 'The query asks for vc+sd-jwt.' },
      es: { title: 'Otro formato', about: 'La consulta pide vc+sd-jwt.' },
    },
    change: (request) => queryWith(request, { format: 'vc+sd-jwt' }),
  },
  {
    name: 'request-for-another-type',
    rejected: true,
    statement: '1.resources-and-their-fields/presentation-authorization-request.7',
    texts: {
      en: {
        title: 'A type that no wallet has',
        about: 'The wallet has no matching credential and must not post.',
      },
      es: {
        title: 'Un tipo que ninguna cartera tiene',
        about: 'La cartera no tiene una credencial adecuada y no debe enviar nada.',
      },
    },
    change: (request) => queryWith(request, { meta: { vct_values: ['NoSuchCredential'] } }),
  },
  {
    name: 'request-from-elsewhere',
    rejected: true,
    rule: 'request.response-uri',
    texts: {
      en: {
        title: 'Unsigned, with another host',
        about: 'client_id names a known website, but the response goes to another host.',
      },
      es: {
        title: 'Sin firma y con otro servidor',
        about: 'client_id nombra una web conocida, pero la respuesta va a otro servidor.',
      },
    },
    change: (request) => ({ ...request, client_id: 'https://verifier.example' }),
    unsigned: true,
  },
]

const zSession = z.object({ session_id: z.string(), request_uri: z.string() })

/** Starts a session at the verifier and creates a link with its request, changed on purpose. */
export async function createRequestCode(
  { context }: RunningEnvironment,
  { change, changeJwt, linkClientId, unsigned }: RequestCode,
): Promise<CreatedCode> {
  const verifier = createServiceClient(context, 'verifier', { caller: 'console' })
  const started = await verifier.postJson('/sessions', { expires_in: 600 })
  const session = zSession.safeParse(started.json)
  if (!session.success) {
    throw refusedByService(started.status, started.json, 'The verifier started no session.')
  }
  const { session_id: sessionId, request_uri: requestUri } = session.data
  const usual = parseJws((await verifier.request(new URL(requestUri).pathname)).text)
  if (!usual.ok) {
    const message = 'The verifier returned no request.'
    throw new TestbedError({ code: 'no_request', status: 409, message })
  }
  const { client_metadata: _metadata, ...request } = usual.payload
  const now = context.runtime.clock.seconds()
  const payload = Object.fromEntries(
    Object.entries(change?.(request, now) ?? request).filter(([, value]) => value !== undefined),
  )
  if (unsigned) {
    const { iss: _iss, aud: _aud, iat: _iat, exp: _exp, ...parameters } = payload
    return { link: createAuthorizationRequestUri(parameters), sessionId }
  }
  const { did, vMethodId, privateKey: key } = context.keys.verifier
  const privateKey = createPrivateJwk('secp256k1', Buffer.from(key.slice(2), 'hex'))
  const { typ } = usual.header
  const header = { alg: 'ES256K' as const, kid: `${did}#${vMethodId}`, typ: String(typ) }
  const jwt = signJws({ header, payload, privateKey })
  const link = createSignedAuthorizationRequestUri(linkClientId ?? did, changeJwt?.(jwt) ?? jwt)
  return { link, sessionId }
}
