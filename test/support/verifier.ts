import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { z } from 'zod'
import { createTrustWorld, type TrustWorld } from '#conformance/world/create-trust-world.ts'
import { answerAsRegistries } from '#conformance/world/open-trust-world.ts'
import { privateKeyHexOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import type { zVerifierConfig } from '#services/verifier/config.ts'
import { createVerifierService } from '#services/verifier/create-verifier-service.ts'
import type { Explanation } from '#services/verifier/domain/explanation.ts'
import { send } from './http.ts'
import { closeServer, listenOn } from './servers.ts'
import { createTestRuntime, onFinished, startService, type TestRuntime } from './services.ts'

interface TrustServers {
  readonly baseUrl: string
  /** Requested paths, in order. */
  readonly requests: string[]
  /** Replaces a response, whose original body is the second argument; undefined keeps it. */
  intercept: (
    path: string,
    body: string,
  ) => { status: number; body: string; location?: string } | undefined
  stop(): Promise<void>
}

/**
 * A trust world over HTTP on one port: the DID registry, the TIR below its path, and the status
 * lists, in the wire forms of the profile and without code of the services.
 */
export async function startTrustServers(world: TrustWorld): Promise<TrustServers> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    servers.requests.push(path)
    const { status, body } = answerAsRegistries(world, new URL(path, 'http://127.0.0.1'))
    const replaced = servers.intercept(path, body)
    if (replaced) {
      const headers = replaced.location === undefined ? {} : { location: replaced.location }
      response.writeHead(replaced.status, headers).end(replaced.body)
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  const baseUrl = await listenOn(server)
  const servers: TrustServers = {
    baseUrl,
    requests: [],
    intercept: () => undefined,
    stop: () => closeServer(server),
  }
  return servers
}

export type VerifierInput = z.input<typeof zVerifierConfig>

export const verifierApiKey = 'an api key for the verifier'
export const idpApiKey = 'an api key for the idp'

/** The configuration of a verifier in a trust world that answers over HTTP. */
export function createVerifierConfig(
  world: TrustWorld,
  servers: TrustServers,
  baseUrl: string,
  idpUrl: string,
): VerifierInput {
  const verifier = world.createParty('verifier')
  const [did = '', verifierVMethodId = ''] = verifier.kid.split('#')
  return {
    baseUrl,
    environment: 'pre',
    apiKeys: [verifierApiKey],
    idpUrl,
    idpApiKey,
    didRegistryBaseUrl: servers.baseUrl,
    tirBaseUrl: world.policy.tirBaseUrl,
    rootDids: [...world.policy.rootDids],
    credentialIssuerUrls: [...world.policy.credentialIssuerUrls],
    internalUrls: {
      'https://tir.example': servers.baseUrl,
      'https://issuer.example': servers.baseUrl,
    },
    verifierDid: did,
    verifierVMethodId,
    verifierPrivateKey: privateKeyHexOf(verifier.privateKey),
    reportRetryMilliseconds: 10,
  }
}

interface Verdict {
  readonly session_id: string
  readonly status: string
  readonly response_code: string
  readonly credential?: Record<string, unknown>
  readonly failures: readonly { readonly rule: string; readonly path: string }[]
}

/** Starts an IDP that records the verdicts it receives; `status` is its answer. */
async function startVerdictSink() {
  const verdicts: Verdict[] = []
  const waiting: (() => void)[] = []
  const sink = {
    verdicts,
    status: 200,
    attempts: 0,
    url: '',
    /** Before the answer to a verdict. */
    hold: async (_verdict: Verdict): Promise<void> => {},
  }
  const server = createServer(async (request, response) => {
    sink.attempts++
    const isExpected =
      request.method === 'POST' &&
      request.url === '/idp/api/auth/results' &&
      request.headers['x-api-key'] === idpApiKey
    const body = (await json(request)) as Verdict
    await sink.hold(body)
    const status = isExpected ? sink.status : 500
    if (status === 200) verdicts.push(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    for (const resolve of waiting.splice(0)) resolve()
  })
  sink.url = await listenOn(server)
  return {
    sink,
    /** The next request to the IDP has been answered. */
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    stop: () => closeServer(server),
  }
}

export interface VerifierSession {
  readonly session_id: string
  readonly request_uri: string
  readonly authorization_request: string
  readonly expires_at: number
}

/** The members of a presentation request. */
export interface PresentationRequest {
  readonly response_uri: string
  readonly client_id: string
  readonly nonce: string
  readonly state: string
  readonly [name: string]: unknown
}

/** The form of a presentation for a request, without its state. */
export function createPresentationForm(
  { client_id, nonce }: PresentationRequest,
  given: { holder: TrustWorld['holder']; credential: string; now: number },
) {
  const { holder, credential, now } = given
  return {
    vp_token: createVpToken({
      ...holder,
      holderDid: holder.did,
      audience: client_id,
      nonce,
      credentials: [credential],
      now,
    }),
    presentation_submission: JSON.stringify(
      createPresentationSubmission({ id: 'x', queryId: 'lear_credential' }),
    ),
  }
}

/** Starts a verifier over HTTP with stand-ins for all its dependencies; it ends with the test or the file. */
export async function startVerifier(
  change: (config: VerifierInput) => VerifierInput = (config) => config,
  runtime: TestRuntime = createTestRuntime(),
) {
  const world = createTrustWorld({ now: runtime.clock.seconds() })
  const servers = await startTrustServers(world)
  const idp = await startVerdictSink()
  let config: VerifierInput | undefined
  const start = () =>
    startService((baseUrl) => {
      config = change(createVerifierConfig(world, servers, baseUrl, idp.sink.url))
      return createVerifierService(config, runtime)
    })
  let running = await start()
  onFinished(async () => {
    await running.stop()
    await idp.stop()
    await servers.stop()
  })

  const createSession = async (body: object = {}): Promise<VerifierSession> => {
    const response = await send(`${running.baseUrl}/sessions`, {
      headers: { 'x-api-key': verifierApiKey },
      json: body,
    })
    return (await response.json()) as VerifierSession
  }
  const getRequest = async (session: VerifierSession): Promise<PresentationRequest> => {
    const jwt = await (await fetch(session.request_uri)).text()
    return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
  }
  const post = (responseUri: string, form: Record<string, string>) =>
    fetch(responseUri, { method: 'POST', body: new URLSearchParams(form) })

  const presentationFor = (
    request: PresentationRequest,
    { holder = world.holder, credential = world.issue() } = {},
  ) => createPresentationForm(request, { holder, credential, now: runtime.clock.seconds() })
  const inspect = async (session: VerifierSession) => {
    const response = await fetch(`${running.baseUrl}/sessions/${session.session_id}`, {
      headers: { 'x-api-key': verifierApiKey },
    })
    return (await response.json()) as {
      status: string
      reported_at: number | null
      explanation: Explanation | null
    }
  }

  return {
    get baseUrl() {
      return running.baseUrl
    },
    runtime,
    world,
    servers,
    idp,
    config: () => config as VerifierInput,
    createSession,
    getRequest,
    post,
    presentationFor,
    inspect,
    /** Ends the verifier and starts it again on another port. */
    async restart() {
      await running.stop()
      running = await start()
    },
  }
}

export type RunningVerifier = Awaited<ReturnType<typeof startVerifier>>

export type PresentationForm = Record<string, string>

/** Changes a valid form. */
export type ChangeForm = (form: PresentationForm, request: PresentationRequest) => PresentationForm

/** Posts a valid presentation to a fresh session, with the changes of the test. */
export async function presentToVerifier(
  verifier: RunningVerifier,
  change: ChangeForm = (form) => form,
) {
  const session = await verifier.createSession()
  const request = await verifier.getRequest(session)
  const form = change(verifier.presentationFor(request), request)
  const response = await verifier.post(request.response_uri, form)
  const { status, explanation } = await verifier.inspect(session)
  const rules = [...new Set((explanation?.failures ?? []).map(({ rule }) => rule))]
  return { session, request, form, response, status, rules, explanation }
}

/** Posts a presentation of this credential to a fresh session. */
export const presentCredential = (verifier: RunningVerifier, credential: string) =>
  presentToVerifier(verifier, (_form, request) => verifier.presentationFor(request, { credential }))

/** The form with its presentation's claims and header changed, signed by the holder again. */
export function resignPresentation(
  { holder }: TrustWorld,
  form: PresentationForm,
  members: object,
  header: object = {},
): PresentationForm {
  const [, encoded = ''] = (form.vp_token ?? '').split('.')
  const payload = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  return {
    ...form,
    vp_token: signJws({
      header: { alg: 'ES256K', typ: 'JWT', kid: holder.kid, ...header },
      payload: { ...payload, ...members },
      privateKey: holder.privateKey,
    }),
  }
}

/** A credential of the world's issuer with members of its `vc` claim replaced. */
export function issueWithVc(world: TrustWorld, members: object): string {
  const payload = world.credentialPayload()
  return world.issue({ ...payload, vc: { ...payload.vc, ...members } })
}

/** A credential of the world's issuer with members of its mandate replaced. */
export function issueWithMandate(world: TrustWorld, members: object): string {
  const { credentialSubject } = world.credentialPayload().vc
  const mandate = { ...credentialSubject.mandate, ...members }
  return issueWithVc(world, { credentialSubject: { ...credentialSubject, mandate } })
}

/** An unsigned JWT: header and payload as given, and any third part. */
export function unsignedJwt(header: object | string, payload: object | string, signature = '') {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
  return `${encode(header)}.${encode(payload)}.${signature}`
}
