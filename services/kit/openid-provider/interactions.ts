import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Configuration, Interaction, InteractionResults, Provider } from 'oidc-provider'
import { loginExpired } from '../errors.ts'
import { jose } from '../lazy.ts'
import { readCookie } from '../read-request.ts'
import { secretsEqual } from '../secrets.ts'

/** The pending login of this browser, from its cookie. Undefined in any other browser. */
export async function findInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction | undefined> {
  const interaction = await provider.interactionDetails(request, response).catch((cause) => {
    if (cause?.name === 'SessionNotFound') return undefined
    throw cause
  })
  return interaction?.uid === uid && interaction.prompt.name === 'login' ? interaction : undefined
}

/**
 * Returns the pending login, only for the browser that started it. Another site cannot post into
 * it, as browsers withhold the cookie (SameSite=Lax).
 *
 * @throws TestbedError `login_expired`
 * @assumption A-31
 */
export async function requireInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction> {
  const interaction = await findInteraction(provider, uid, request, response)
  if (interaction) return interaction
  throw loginExpired()
}

/**
 * Stores the result of a pending login that this request has found, and returns the address at
 * which the browser continues. `provider.interactionResult` would find it again. A login of a
 * different person from the one in id_token_hint ends with an error (OpenID Connect Core 1.0,
 * 3.1.2.2): oidc-provider compares them only before the login.
 */
export async function finishInteraction(
  interaction: Interaction,
  result: InteractionResults,
): Promise<string> {
  const { id_token_hint: hint } = interaction.params
  const isOther =
    result.login &&
    typeof hint === 'string' &&
    jose().decodeJwt(hint).sub !== result.login.accountId
  const stored = isOther ? otherPerson : result
  interaction.result = 'error' in stored ? stored : { ...interaction.lastSubmission, ...stored }
  await interaction.persist()
  return interaction.returnTo
}

const otherPerson: InteractionResults = {
  error: 'login_required',
  error_description: 'the login is not that of the person in id_token_hint',
}

/**
 * Names oidc-provider's cookies so that they are specific to this provider. Browsers share cookies
 * between the ports of a host, so two providers on a laptop would overwrite each other's sessions.
 * @param baseUrl the provider's public address
 * @param keys secrets that sign the cookies, newest first
 */
export function openidCookies(
  baseUrl: string,
  keys: readonly string[],
): NonNullable<Configuration['cookies']> {
  return {
    // The types know only the secrets; oidc-provider passes on what it gets.
    keys: createCookieSigner(keys) as unknown as string[],
    names: {
      session: cookieName(baseUrl, 'session'),
      interaction: cookieName(baseUrl, 'interaction'),
      resume: cookieName(baseUrl, 'resume'),
    },
    long: { httpOnly: true, sameSite: 'lax', signed: true },
    short: { httpOnly: true, sameSite: 'lax', signed: true },
  }
}

/**
 * Signs cookies with HMAC-SHA-256, in the form that the package `cookies` expects. From secrets it
 * would create a Keygrip, which uses SHA-1, and two more HMACs and a random key for a comparison.
 */
function createCookieSigner(secrets: readonly string[]) {
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8'))
  const signatures = (text: string) =>
    keys.map((key) => createHmac('sha256', key).update(text).digest('base64url'))
  return {
    sign: (text: string): string => signatures(text)[0] ?? '',
    /** The number of the secret that signed the text, or -1. */
    index: (text: string, signature: string): number =>
      signatures(text).findIndex((expected) => secretsEqual(signature, expected)),
  }
}

/** A cookie name that differs from those of services at other public addresses. */
export function cookieName(baseUrl: string, purpose: string): string {
  return `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)}_${purpose}`
}

/** Reads the `randomToken` in this cookie; undefined if the browser did not send it. */
export function readTokenCookie(request: Request, name: string): string | undefined {
  const value = readCookie(request, name)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}
