import { redirectFailed } from '#scenarios/errors.ts'

/** The page of a browser after following redirects. */
export interface HttpPage {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Every address on the way, including the last one. */
  readonly visited: readonly string[]
}

export interface HttpBrowser {
  /**
   * @param stopBefore for this request, redirects to addresses with these prefixes are not followed
   */
  get(url: string, stopBefore?: string): Promise<HttpPage>
  /** Posts a form, as from a page of the same site. */
  submit(
    url: string,
    form: Readonly<Record<string, string>> | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpPage>
  /** The cookies that the browser would send to that address. */
  cookiesFor(url: string): string
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
}

/** Redirects that send the same request to another address, with its form. */
const repeating = [307, 308]
const redirects = [301, 302, 303, ...repeating]

function parseCookie(header: string, url: URL): Cookie & { readonly isGone: boolean } {
  const [pair = '', ...attributes] = header.split(/; */)
  const [name = '', ...value] = pair.split('=')
  const attribute = (wanted: string) =>
    attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
  const expires = attribute('expires')
  return {
    name,
    value: value.join('='),
    // As in browsers: one jar per host, regardless of the port.
    host: url.hostname,
    path: attribute('path') ?? '/',
    isGone: attribute('max-age') === '0' || (!!expires && Date.parse(expires) <= Date.now()),
  }
}

const pathMatches = (path: string, request: string) =>
  request === path || request.startsWith(path.endsWith('/') ? path : `${path}/`)

/**
 * A browser without a screen: keeps cookies by host and path and follows redirects, by GET unless
 * their status keeps the method. The real browser tests the look of a page and its script.
 * @param stopAt addresses with these prefixes are not fetched: the redirects end there with status
 * 0, as at a link for an app
 * @param always headers of every request
 */
export function createHttpBrowser(
  stopAt: readonly string[] = [],
  always: Readonly<Record<string, string>> = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): HttpBrowser {
  let jar: readonly Cookie[] = []

  const cookiesFor = (address: string) => {
    const url = new URL(address)
    return jar
      .filter(({ host, path }) => host === url.hostname && pathMatches(path, url.pathname))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  const visit = async (
    url: string,
    init: RequestInit,
    visited: readonly string[],
    stops = stopAt,
  ): Promise<HttpPage> => {
    if (visited.length > 20) throw redirectFailed(`More than 20 redirects, the last one to ${url}`)
    const here = [...visited, url]
    // A link for an app on the same device: the browser passes it to the app.
    const isForAnApp = !/^https?:/.test(url)
    if (isForAnApp || stops.some((prefix) => url.startsWith(prefix))) {
      return { url, status: 0, headers: new Headers(), text: '', visited: here }
    }
    const headers = new Headers({ ...always, ...(init.headers as Record<string, string>) })
    headers.set('accept', 'text/html')
    headers.set('cookie', cookiesFor(url))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) {
      const { isGone, ...cookie } = parseCookie(header, new URL(url))
      jar = jar.filter(
        ({ name, host, path }) =>
          name !== cookie.name || host !== cookie.host || path !== cookie.path,
      )
      if (!isGone) jar = [...jar, cookie]
    }
    const location = response.headers.get('location')
    if (redirects.includes(response.status) && location !== null) {
      await response.arrayBuffer()
      const next = URL.parse(location, url)
      if (next === null) throw redirectFailed(`A redirect to an invalid address: ${location}`)
      const request = repeating.includes(response.status) ? init : {}
      return visit(next.href, request, here, stops)
    }
    const text = await response.text()
    return { url, status: response.status, headers: response.headers, text, visited: here }
  }

  return {
    cookiesFor,
    get: (url, stopBefore) =>
      visit(url, {}, [], stopBefore === undefined ? stopAt : [...stopAt, stopBefore]),
    submit: (url, form, headers = {}) =>
      visit(url, { method: 'POST', body: new URLSearchParams(form), headers }, []),
  }
}
