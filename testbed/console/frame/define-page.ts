import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { html } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { nothingHere } from '#kit/errors.ts'
import { isLanguage, keptChoice, type Language, languageCookie, languageOf } from '#kit/language.ts'
import { readCookie, requestAddress } from '#kit/read-request.ts'
import { sendReply } from '#kit/register-route.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { type ConsoleDependencies, sessionOf } from '../dependencies.ts'
import { readNotice } from './notice.ts'
import { closedPage, consolePage, type Frame, pathIn } from './page.ts'
import { frameTexts, type SectionName } from './sections.ts'

/** What a page is rendered from. */
export interface PageContext<Query, Params> {
  readonly frame: Frame
  readonly language: Language
  /** The environment of `?env=`, else the first one. */
  readonly running: RunningEnvironment
  readonly query: Query
  readonly params: Params
  readonly request: Request
}

interface PageDefinition<Query extends z.ZodType, Params extends z.ZodType> {
  readonly path: string
  readonly section: SectionName
  /** In English, for the coverage of routes. */
  readonly summary: string
  /** Of the address; members that the page does not use are ignored. */
  readonly query?: Query
  readonly params?: Params
  render(
    context: PageContext<z.output<Query>, z.output<Params>>,
    dependencies: ConsoleDependencies,
  ): Promise<Reply> | Reply
}

const zFrameQuery = z.looseObject({
  env: z.string().max(64).optional().catch(undefined),
  lang: z.string().optional().catch(undefined),
  theme: z.string().optional().catch(undefined),
})

const themeCookie = 'lear-testbed-theme'

function themeOf(request: Request): Frame['theme'] {
  const chosen = readCookie(request, themeCookie)
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}

/** Cookies that keep the language and theme that an address chooses. */
function chosenIn({ lang, theme }: z.output<typeof zFrameQuery>): string[] {
  return [
    ...(isLanguage(lang) ? [`${languageCookie}=${lang}; ${keptChoice}`] : []),
    ...(theme === 'light' || theme === 'dark' || theme === 'system'
      ? [`${themeCookie}=${theme}; ${keptChoice}`]
      : []),
  ]
}

/** The address without the choice, for the redirect after it was kept. */
function withoutChoice(request: Request): string {
  const { pathname, searchParams } = requestAddress(request)
  searchParams.delete('lang')
  searchParams.delete('theme')
  const rest = searchParams.toString()
  return rest === '' ? pathname : `${pathname}?${rest}`
}

/** The frame without an environment, for pages without a session. */
export const bareFrameOf = (request: Request): Pick<Frame, 'language' | 'theme'> => ({
  language: languageOf(request),
  theme: themeOf(request),
})

/**
 * A page of the console. Browsers without its cookie get 401 and how to open it. A rejection or
 * the outage of a part becomes a page with its message.
 */
export function definePage<
  Query extends z.ZodType = typeof zFrameQuery,
  Params extends z.ZodType = z.ZodAny,
>(page: PageDefinition<Query, Params>): AnyRoute<ConsoleDependencies> {
  return defineRoute<ConsoleDependencies>()({
    method: 'get',
    path: page.path,
    summary: page.summary,
    auth: 'none',
    documented: false,
    // The page checks them itself, after the session.
    request: { params: z.any(), query: z.any() },
    responses: {
      200: { description: 'The page' },
      303: { description: 'To the same page, after a choice of language or theme' },
      401: { description: 'How to open the console' },
    },
    handle: ({ request, params }, dependencies) =>
      renderPage(page, { request, params }, dependencies),
  })
}

/** Answers browsers at addresses without a page, with the menu instead of JSON. */
export function showUnknownPage(dependencies: ConsoleDependencies): RequestHandler {
  const page: Pick<PageDefinition<z.ZodAny, z.ZodAny>, 'render'> = {
    render({ frame }) {
      const { title, text, home } = frameTexts[frame.language].unknown
      const body = html`<p class="lead">${text}</p>
<p class="actions"><a class="button primary" href="${pathIn(frame, '/')}">${home}</a></p>`
      return consolePage(frame, { status: 404, title, body })
    },
  }
  return async function answerUnknownPage(request, response, next) {
    const isPage = request.method === 'GET' && !/^\/(console|control)\//.test(request.path)
    if (!isPage || request.accepts(['json', 'html']) !== 'html') return next()
    sendReply(response, await renderPage(page, { request, params: {} }, dependencies))
  }
}

async function renderPage<Query extends z.ZodType, Params extends z.ZodType>(
  page: Pick<PageDefinition<Query, Params>, 'render'> & Partial<PageDefinition<Query, Params>>,
  { request, params }: { readonly request: Request; readonly params: unknown },
  dependencies: ConsoleDependencies,
): Promise<Reply> {
  const bare = bareFrameOf(request)
  if (sessionOf(request, dependencies) === undefined) return closedPage(bare)
  const choice = zFrameQuery.parse(request.query)
  const cookies = chosenIn(choice)
  if (cookies.length > 0) {
    const headers = { location: withoutChoice(request), 'cache-control': 'no-store' }
    // Several cookies need several headers.
    for (const cookie of cookies) request.res?.append('set-cookie', cookie)
    return { status: 303, headers }
  }
  const [first = ''] = dependencies.environments.keys()
  const frame: Frame = {
    ...bare,
    environment: first,
    environments: [...dependencies.environments.keys()],
    query: requestAddress(request).search,
    built: dependencies.built,
    documentationPath: dependencies.documentationPath,
    notice: await readNotice(bare.language, dependencies),
  }
  try {
    const running = findEnvironment(dependencies, choice.env ?? first)
    const chosen = { ...frame, environment: running.environment }
    const query = (page.query ?? zFrameQuery).safeParse(request.query)
    const place = (page.params ?? z.any()).safeParse(params)
    if (!query.success || !place.success) throw nothingHere()
    const context = { frame: chosen, language: bare.language, running, request }
    const input = {
      query: query.data as z.output<Query>,
      params: place.data as z.output<Params>,
    }
    return await page.render({ ...context, ...input }, dependencies)
  } catch (error) {
    // The handler of the service logs what is wrong with the console itself.
    if (!isTestbedError(error) || error.status === 500) throw error
    const { status, message, code } = error
    const title = frameTexts[bare.language].failed
    const body = html`<p class="alert" role="alert" lang="en">${message}</p><p class="code" lang="en">${code}</p>`
    return consolePage(frame, {
      status,
      title,
      body,
      ...(page.section && { section: page.section }),
    })
  }
}
