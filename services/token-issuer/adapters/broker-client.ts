import * as client from 'openid-client'
import { createHttpClient } from '#kit/create-http-client.ts'
import { clockToleranceSeconds } from '#kit/defaults.ts'
import type { Language } from '#kit/language.ts'
import { forgetOnRestore, type Runtime } from '#kit/runtime.ts'
import type { BrokerConfig } from '../config.ts'
import { loginRefused, providerUnavailable } from '../errors.ts'
import type { BrokerLogin } from './broker-store.ts'

/** The start of a login at an external provider. */
interface BrokerRequest {
  /** Address to redirect the browser to. */
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface Broker {
  readonly alias: string
  /** Undefined for the wallet, which has a name in each language. */
  readonly displayName: string | undefined
  readonly mappers: Readonly<Record<string, string>>
  /**
   * @param language of the pages, for the provider's
   * @throws TestbedError `provider_unavailable` (502)
   */
  createRequest(language: Language): Promise<BrokerRequest>
  /**
   * Exchanges the returned code and verifies the id_token: signature, iss, aud, exp, nonce.
   * @param query the query of the request to our endpoint, with its leading `?`
   * @returns the id_token's claims
   * @throws TestbedError `login_refused` (401) or `provider_unavailable` (502)
   */
  redeem(query: string, state: string, login: BrokerLogin): Promise<client.IDToken>
}

/** True if the provider responded with an error or an unacceptable response. */
function isRefusal(error: unknown): boolean {
  if (error instanceof client.AuthorizationResponseError) return true
  if (error instanceof client.ResponseBodyError) return error.status < 500
  if (!(error instanceof client.ClientError) || error.code === 'OAUTH_TIMEOUT') return false
  // Any other error comes from openid-client's own checks: states, nonces, signatures, claims.
  return !(error.cause instanceof Response && error.cause.status >= 500)
}

/** This service as a relying party of one external identity provider (profile/token-issuer, Registration at the IDP). */
export function createBroker(config: BrokerConfig, baseUrl: string, runtime: Runtime): Broker {
  const { alias, displayName, mappers } = config
  const redirectUri = `${baseUrl}/broker/${alias}/endpoint`
  const backchannelUrl = config.backchannelUrl ?? config.issuerUrl
  const http = createHttpClient(runtime, {
    caller: 'token-issuer',
    dependency: `identity provider ${alias}`,
    baseUrl: backchannelUrl,
    faults: ['idp-down'],
  })
  const issuerOrigin = new URL(config.issuerUrl).origin
  const backchannelOrigin = new URL(backchannelUrl).origin
  const fetchThere: client.CustomFetch = (url, options) =>
    http.fetch(url.replace(issuerOrigin, backchannelOrigin), options as RequestInit)

  const discover = () =>
    client.discovery(
      new URL(config.issuerUrl),
      config.clientId,
      { id_token_signed_response_alg: 'RS256', [client.clockTolerance]: clockToleranceSeconds },
      client.ClientSecretBasic(config.clientSecret),
      {
        [client.customFetch]: fetchThere,
        // Verifies signatures of id_tokens even though they arrive over a direct connection.
        execute: config.issuerUrl.startsWith('http:')
          ? [client.allowInsecureRequests, client.enableNonRepudiationChecks]
          : [client.enableNonRepudiationChecks],
      },
    )

  let discovered: Promise<client.Configuration> | undefined
  // It contains the provider's keys, which the restore may have changed.
  forgetOnRestore(runtime.snapshots, () => {
    discovered = undefined
  })
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= discover().catch((cause) => {
      discovered = undefined
      throw providerUnavailable(config, cause)
    })
    return discovered
  }

  return {
    alias,
    displayName,
    mappers,

    async createRequest(language) {
      const state = client.randomState()
      const nonce = client.randomNonce()
      const codeVerifier = client.randomPKCECodeVerifier()
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: config.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ui_locales: language,
      })
      return { url: url.href, state, nonce, codeVerifier }
    },

    async redeem(query, state, login) {
      const provider = await configuration()
      try {
        // Only the public address and the query: nothing here depends on the Host header.
        const tokens = await client.authorizationCodeGrant(
          provider,
          new URL(`${redirectUri}${query}`),
          {
            expectedState: state,
            expectedNonce: login.nonce,
            pkceCodeVerifier: login.codeVerifier,
            idTokenExpected: true,
          },
        )
        const claims = tokens.claims()
        if (claims === undefined) throw new TypeError('no id_token in the token response')
        return claims
      } catch (cause) {
        throw isRefusal(cause) ? loginRefused(config, cause) : providerUnavailable(config, cause)
      }
    },
  }
}
