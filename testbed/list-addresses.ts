import { tirBaseUrlOf } from './compose/environment-context.ts'
import type { RunningEnvironment } from './environment.ts'

/** Something that answers at an address, for the table on the terminal and for the console. */
export interface Address {
  /** `pre`, `pro`, or `testbed` for what all environments share. */
  readonly group: string
  readonly name: string
  readonly url: string
  /** Where it tells whether it is well; absent for the chain, which speaks JSON-RPC alone. */
  readonly healthUrl?: string
}

/** Every address of an environment, in the order in which its parts build on each other. */
export function listEnvironmentAddresses({ environment, context }: RunningEnvironment): Address[] {
  const { urls } = context
  const services = [
    ['DID registry', urls['did-registry']],
    ['TIR', tirBaseUrlOf(context)],
    ['API keys', urls['api-keys']],
    ['management API', urls.management],
    ['connector', urls.connector],
    ['issuer', urls.issuer],
    ['verifier', urls.verifier],
    ['IDP', urls.idp],
    ['token issuer', urls['token-issuer']],
  ] as const
  return [
    { group: environment, name: 'chain (JSON-RPC)', url: urls.chain },
    ...services.map(([name, url]) => ({
      group: environment,
      name,
      url,
      healthUrl: `${url}/health`,
    })),
  ]
}

export interface CommonUrls {
  readonly consoleUrl: string
  readonly mailUrl: string
  readonly smtpUrl: string
}

/** Every address of a testbed. */
export function listAddresses(
  environments: readonly RunningEnvironment[],
  { consoleUrl, mailUrl, smtpUrl }: CommonUrls,
): Address[] {
  const group = 'testbed'
  return [
    { group, name: 'console', url: consoleUrl, healthUrl: `${consoleUrl}/health` },
    { group, name: 'mail (inbox and API)', url: mailUrl, healthUrl: `${mailUrl}/health` },
    { group, name: 'mail (SMTP)', url: smtpUrl },
    ...environments.flatMap(listEnvironmentAddresses),
  ]
}
