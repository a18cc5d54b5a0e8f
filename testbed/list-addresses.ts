import { foreignManagementUrlOf, tirBaseUrlOf } from './compose/environment-context.ts'
import type { RunningEnvironment } from './environment.ts'

/** Something that answers at an address, for the table on the terminal and for the console. */
export interface Address {
  /** `pre`, `pro`, or `testbed` for what all environments share. */
  readonly group: string
  readonly name: string
  readonly url: string
  /** Absent for the chain, which speaks JSON-RPC alone, and for foreign systems. */
  readonly healthUrl?: string
  /** Interactive documentation of its API. */
  readonly docsUrl?: string
}

/** Every address of an environment, in the order in which its parts build on each other. */
export function listEnvironmentAddresses({ environment, context }: RunningEnvironment): Address[] {
  const { urls } = context
  const foreignManagementUrl = foreignManagementUrlOf(context)
  const services = [
    ['DID registry', urls['did-registry'], environment === 'pre' ? '/api' : '/api/v1'],
    ['TIR', tirBaseUrlOf(context), '/api-docs'],
    ['API keys', urls['api-keys'], '/api-docs'],
    ['management API', urls.management, '/swagger'],
    ['connector', urls.connector, '/swagger'],
    ['issuer', urls.issuer, '/swagger'],
    ['verifier', urls.verifier, '/swagger'],
    ['IDP', urls.idp, '/swagger'],
    ['token issuer', urls['token-issuer'], '/swagger'],
  ] as const
  return [
    { group: environment, name: 'chain (JSON-RPC)', url: urls.chain },
    ...services.map(([name, url, docs]) =>
      name === 'management API' && foreignManagementUrl !== undefined
        ? { group: environment, name, url: foreignManagementUrl }
        : {
            group: environment,
            name,
            url,
            healthUrl: `${url}/health`,
            docsUrl: `${url}${docs}`,
          },
    ),
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
    {
      group,
      name: 'console',
      url: consoleUrl,
      healthUrl: `${consoleUrl}/health`,
      docsUrl: `${consoleUrl}/control/docs`,
    },
    {
      group,
      name: 'mail (inbox and API)',
      url: mailUrl,
      healthUrl: `${mailUrl}/health`,
      docsUrl: `${mailUrl}/swagger`,
    },
    { group, name: 'mail (SMTP)', url: smtpUrl },
    ...environments.flatMap(listEnvironmentAddresses),
  ]
}
