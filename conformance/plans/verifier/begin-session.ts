import { randomBytes } from 'node:crypto'
import { query } from 'jsonpath-rfc9535'
import { findLink } from '#core/link/find-link.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { endCheck, inconclusive } from '../../kit/finding.ts'
import { readPageCodes } from '../../kit/read-page-codes.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import { fillUrl } from '../../targets/adapters/fill-placeholders.ts'
import type { AdapterBase } from './context.ts'
import type { VerifierTarget } from './z-target.ts'

/** A session of the verifier, as its adapter gives it. */
export interface BegunSession {
  readonly link: string
  readonly session: string | undefined
}

const createRandom = () => randomBytes(24).toString('base64url')

/** Begins a session as the target says; ends the check as inconclusive where none is to be had. */
export function beginSession(
  { request }: Pick<VerifierTarget, 'request'>,
  base: AdapterBase,
): Promise<BegunSession> {
  return 'page' in request ? beginOnPage(request, base) : beginByCall(request, base)
}

async function beginByCall(
  { call, link: linkPath, session }: Extract<VerifierTarget['request'], { readonly call: unknown }>,
  options: AdapterBase,
): Promise<BegunSession> {
  const name = 'request'
  const answer = await callVerb(call, name, { random: createRandom() }, options)
  if (answer.outcome !== 'done') endCheck(inconclusive(`No session began: ${answer.reason}`))
  const told = linkPath === undefined ? answer.text : textAt(answer.json, linkPath)
  const link = told === undefined ? undefined : findRequestLink(told)
  if (link === undefined) {
    const where = linkPath === undefined ? 'in what it answered' : `at ${linkPath}`
    endCheck(inconclusive(`No session began: there is no openid4vp: link ${where}`))
  }
  return { link, session: session === undefined ? undefined : textAt(answer.json, session) }
}

async function beginOnPage(
  { page, session }: Extract<VerifierTarget['request'], { readonly page: string }>,
  { httpAs }: AdapterBase,
): Promise<BegunSession> {
  const http = httpAs('browser')
  const url = fillUrl(page, { random: createRandom() }) ?? page
  const { text, status, url: address } = await createHttpBrowser([], {}, http.fetch).get(url)
  if (status !== 200) {
    endCheck(inconclusive(`No session began: ${address} answered HTTP ${status}`))
  }
  const link =
    findRequestLink(text) ?? findInCodes(await readPageCodes(http, { text, url: address }))
  if (link === undefined) {
    endCheck(inconclusive(`No session began: ${address} shows neither a link nor a QR code`))
  }
  const pattern = session === undefined ? undefined : new RegExp(session)
  return { link, session: pattern && (pattern.exec(text) ?? pattern.exec(address))?.[1] }
}

const findInCodes = (codes: readonly string[]) =>
  codes.map(findRequestLink).find((link) => link !== undefined)

const findRequestLink = (text: string) => findLink(text, 'request')?.link

function textAt(json: unknown, path: string): string | undefined {
  const [value] = json === undefined ? [] : query(json as Parameters<typeof query>[0], path)
  return value === undefined || value === null ? undefined : String(value)
}
