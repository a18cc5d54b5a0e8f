import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { administrator } from './start-login-system.ts'

/** The token of a page's forms. */
export function csrfTokenOf({ text }: HttpPage): string {
  return /name="csrf_token" value="([^"]*)"/.exec(text)?.[1] ?? ''
}

/** A browser at the admin panel, with what its forms need; nobody is logged in yet. */
export function createPanel(
  { baseUrl }: { readonly baseUrl: string },
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  const browser = createHttpBrowser([], {}, fetch)
  let csrfToken = ''
  const get = async (path: string) => {
    const page = await browser.get(`${baseUrl}${path}`)
    csrfToken = csrfTokenOf(page) || csrfToken
    return page
  }
  const submit = (
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { origin: baseUrl },
  ) => browser.submit(`${baseUrl}${path}`, { csrf_token: csrfToken, ...form }, headers)
  return {
    get,
    /** Sends a form as a page of the panel does: with its token and the panel's origin. */
    submit,
    async logIn(credentials: { username: string; password: string } = administrator) {
      await get('/admin/login')
      const page = await submit('/admin/login', credentials)
      csrfToken = csrfTokenOf(page) || csrfToken
      return page
    },
    get cookie() {
      return browser.cookiesFor(`${baseUrl}/admin/`)
    },
    get csrfToken() {
      return csrfToken
    },
  }
}

export type Panel = ReturnType<typeof createPanel>

/** The panel with an administrator logged in. */
export async function openPanel(system: { readonly baseUrl: string }): Promise<Panel> {
  const panel = createPanel(system)
  await panel.logIn()
  return panel
}
