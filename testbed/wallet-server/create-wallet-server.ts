import type { Express } from 'express'
import { createApp } from '#kit/create-app.ts'
import type { Authentication } from '#kit/register-route.ts'
import type { Runtime } from '#kit/runtime.ts'
import { secretsEqual } from '#kit/secrets.ts'
import { invalidWalletToken } from '../errors.ts'
import type { WalletServerDependencies } from './dependencies.ts'
import { acceptOfferVerb, listVerb, presentVerb, resetVerb } from './routes.ts'

export interface WalletServerOptions extends WalletServerDependencies {
  readonly baseUrl: string
  readonly runtime: Runtime
  /** Bearer token that callers must send; without it, every program on this machine has access. */
  readonly token: string | undefined
}

/**
 * The wallet behind four verbs over HTTP, for test suites that drive a wallet under test
 * (interfaces, section 5). No web page can reach it: without a token, the Host and Origin of a
 * request must be in the list of its names.
 */
export function createWalletServer(options: WalletServerOptions): Express {
  const { baseUrl, runtime, token, session, connect, deferral } = options
  return createApp<WalletServerDependencies>({
    name: 'wallet-server',
    title: 'Wallet',
    version: '1.0.0',
    description: 'Drives a wallet with four verbs, like an adapter of a wallet under test.',
    baseUrl,
    runtime,
    dependencies: { session, connect, ...(deferral && { deferral }) },
    routes: [acceptOfferVerb, presentVerb, listVerb, resetVerb],
    authentication: { token: authenticate(token) },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'If it was started with --token' },
    },
    docsPath: '/docs',
    // A web page does not know the token, and clients on other machines use other host names.
    ...(token === undefined && { ownHostOnly: 'host and origin' as const }),
  })
}

function authenticate(token: string | undefined): Authentication {
  return (request) => {
    if (token === undefined) return undefined
    const bearer = request.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1]
    if (bearer !== undefined && secretsEqual(bearer, token)) return undefined
    throw invalidWalletToken()
  }
}
