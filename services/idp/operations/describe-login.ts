import { memberAt } from '#kit/openid-provider/claims.ts'
import type { Login } from '../adapters/login-store.ts'
import type { Explanation } from '../adapters/verifier-client.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Failures, type LoginStatus, loginStatus, orderByCause } from '../domain/login.ts'

/** A login for operators: who presented what, and with which result. */
export interface LoginDescription {
  /** The code of its verification session. */
  readonly code: string
  readonly status: LoginStatus
  /** How it ended without a verdict. */
  readonly ending: 'expired' | 'cancelled' | undefined
  /** Name of the client, or its id if it has been deleted. */
  readonly client: string | undefined
  /** As in the credential, which is unverified if the login failed. */
  readonly person: string | undefined
  readonly organization: string | undefined
  /** The cause first. */
  readonly failures: Failures
  /** Unix seconds. */
  readonly createdAt: number
}

/** Names of the clients by their id. */
export async function readClientNames({
  clients,
}: Pick<Dependencies, 'clients'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await clients.list()).map(({ clientId, name }) => [clientId, name]))
}

interface DescribeOptions {
  readonly clientNames: ReadonlyMap<string, string>
  readonly explanation: Explanation | undefined | 'unavailable'
  /** Unix seconds. */
  readonly now: number
}

/** Describes a login by the IDP's record of it and the explanation of its verdict. */
export function describeLogin(
  login: Login,
  { clientNames, explanation, now }: DescribeOptions,
): LoginDescription {
  const { client_id: clientId } = login
  const status = loginStatus(login, now)
  const stored: unknown = JSON.parse(login.credential ?? 'null')
  const presented = typeof explanation === 'object' ? explanation.credential : undefined
  const vc = stored ?? memberAt(presented, ['payload', 'vc'])
  const mandate = memberAt(vc, ['credentialSubject', 'mandate'])
  const text = (...path: readonly string[]) => textAt(mandate, path)
  const names = [text('mandatee', 'firstName'), text('mandatee', 'lastName')]
  const failures: Failures = JSON.parse(login.failures ?? '{"broken":[],"unavailable":[]}')
  return {
    code: login.session_code,
    status,
    ending: endingOf(login, status),
    client: clientId === null ? undefined : (clientNames.get(clientId) ?? clientId),
    person: names.filter((name) => name !== undefined).join(' ') || undefined,
    organization: text('mandator', 'organization'),
    failures: { ...failures, broken: orderByCause(failures.broken) },
    createdAt: login.created_at,
  }
}

function endingOf(login: Login, status: LoginStatus): LoginDescription['ending'] {
  if (status !== 'FAILED' || login.failures !== null) return undefined
  return login.status === 'PENDING' ? 'expired' : 'cancelled'
}

const longestText = 200

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = memberAt(value, path)
  return typeof found === 'string' ? found.slice(0, longestText) : undefined
}

/**
 * Describes the logins of a list. Only the verification service knows what was presented at a
 * failed one.
 */
export async function describeLogins(
  logins: readonly Login[],
  { clients, verifier, runtime }: Pick<Dependencies, 'clients' | 'verifier' | 'runtime'>,
): Promise<readonly LoginDescription[]> {
  const now = runtime.clock.seconds()
  const clientNames = await readClientNames({ clients })
  return Promise.all(
    logins.map(async (login) => {
      const isFailed = login.status === 'FAILED'
      const explanation = isFailed ? await verifier.explain(login.verifier_session_id) : undefined
      return describeLogin(login, { clientNames, explanation, now })
    }),
  )
}
