import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Power } from '#core/power/power.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { createHttpClient, type HttpAnswer } from '#kit/create-http-client.ts'
import type { Language } from '#kit/language.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { portalTexts } from './texts.ts'

const zRecord = z.object({
  vc_type: z.string(),
  subject_id: z.string(),
  status: z.enum(['pending', 'issued', 'revoked', 'expired']),
  credential_id: z.string(),
  creation_at: z.string(),
  update_at: z.string(),
})

/** A record of the issuer, an IssuedCredential (profile/issuer, Records). */
export type IssuedRecord = z.infer<typeof zRecord>

/** An order of a credential for an employee (profile/issuer, Endpoints; A-41). */
export interface EmployeeRequest {
  readonly email: string
  readonly power: readonly Power[]
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly employeeId?: string | undefined
  readonly language?: 'en' | 'es' | undefined
}

/**
 * The issuer's API with the Bearer token of a user of the portal. Every rejection becomes a
 * TestbedError `issuer_refused` with the issuer's words, what to do, and as `unmet` the requirement
 * of the profile.
 */
export interface IssuerApi {
  /** Returns the QR code of the offer as a PNG. */
  orderOwn(power: readonly Power[]): Promise<Uint8Array>
  /** Has the issuer send the offer by email. */
  orderForEmployee(request: EmployeeRequest): Promise<void>
  /** The records of an organization, newest first. */
  list(organizationIdentifier: string): Promise<readonly IssuedRecord[]>
  revoke(credentialId: string): Promise<void>
}

export interface IssuerApiOptions {
  readonly runtime: Runtime
  readonly running: RunningEnvironment
  readonly accessToken: string
  /** Of the advice in errors. */
  readonly language: Language
}

export function createIssuerApi(options: IssuerApiOptions): IssuerApi {
  const { runtime, running, accessToken, language } = options
  const http = createHttpClient(runtime, {
    caller: 'portal',
    dependency: 'issuer',
    baseUrl: running.context.localUrls.issuer,
    headers: { authorization: `Bearer ${accessToken}` },
    // The list has every record of the organization.
    limit: 32 * 1024 * 1024,
    timeoutMilliseconds: 20_000,
  })
  const post = async (path: string, json: unknown): Promise<HttpAnswer> => {
    const answer = await http.postJson(path, json).catch(() => {
      throw refused(portalTexts[language].unreachable, 502)
    })
    if (answer.status < 400) return answer
    throw refusedByIssuer(answer, language, { url: path, requestBody: json })
  }
  return {
    orderOwn: async (power) => (await post('/issuance/representative', { power })).bytes,
    async orderForEmployee(request) {
      await post('/issuance/employee', request)
    },
    async list(organizationIdentifier) {
      const { json } = await post('/issuance/credential', {
        organization_identifiers: [organizationIdentifier],
      })
      return z.array(zRecord).safeParse(json).data ?? []
    },
    async revoke(credentialId) {
      await post('/issuance/credential/revoke', { credential_id: credentialId })
    },
  }
}

const refused = (message: string, status: number, extra = {}) =>
  new TestbedError({ code: 'issuer_refused', status, message, extra })

const zProblem = z.object({ error: z.string().default(''), detail: z.string().default('') })

function refusedByIssuer(
  { status, json }: HttpAnswer,
  language: Language,
  request: { readonly url: string; readonly requestBody: unknown },
): TestbedError {
  const { refusedWith, advice, otherAdvice } = portalTexts[language]
  const problem = zProblem.safeParse(json).data
  const detail = problem?.detail ?? ''
  const known = Object.hasOwn(advice, detail) ? advice[detail] : undefined
  const code = `${status} ${problem?.error ?? ''}`.trim()
  const message = `${refusedWith} ${code}: ${detail}. ${known ?? otherAdvice}`
  const unmet = explainRefusedRequest({ to: 'issuer', status, responseBody: json, ...request })
  // 401 would mean that the console is not open.
  return refused(message, status >= 500 ? 502 : status === 401 ? 409 : status, { unmet })
}
