import type { Request } from 'express'
import { z } from 'zod'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { seeOther } from '#kit/page.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AdminSession,
  fieldsOf,
  findAdminSession,
  requireCsrfToken,
  requireOwnOrigin,
} from './admin-session.ts'
import { panelErrorPage } from './panel-page.ts'

interface AdminInput {
  readonly session: AdminSession
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly request: Request
}

interface AdminFormInput extends AdminInput {
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** A page, or what a form does, as it is defined. */
interface AdminAction<Input> {
  readonly path: string
  readonly summary: string
  readonly documented?: boolean
  handle(input: Input, dependencies: Dependencies): Promise<Reply> | Reply
}

/** A page of the panel, for whoever is logged in; others are led to the login. */
export function defineAdminPage(page: AdminAction<AdminInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'get',
    path: page.path,
    summary: page.summary,
    auth: 'none',
    documented: page.documented ?? false,
    request: { params: zAdminParams, query: z.record(z.string(), z.unknown()) },
    responses: adminResponses,
    handle: ({ params, query, request }, dependencies) =>
      answerAdmin(dependencies, async () => {
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return seeOther('/admin/login')
        return page.handle({ session, params, query, request }, dependencies)
      }),
  })
}

/** What a form of the panel does, for whoever is logged in and sent it from the panel's own page. */
export function defineAdminForm(form: AdminAction<AdminFormInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'post',
    path: form.path,
    summary: form.summary,
    auth: 'none',
    documented: false,
    request: { params: zAdminParams, ...formRequest },
    responses: adminResponses,
    handle: ({ params, request }, dependencies) =>
      answerAdmin(dependencies, async () => {
        requireOwnOrigin(request, dependencies)
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return seeOther('/admin/login')
        requireCsrfToken(request, session.id)
        const fields = fieldsOf(request)
        return form.handle({ session, params, query: {}, request, fields }, dependencies)
      }),
  })
}

/** Parameters of a path. */
const zAdminParams = z.record(z.string(), z.string())

/** What every route of the panel answers. */
const adminResponses = {
  200: { description: 'The page', contentType: 'text/html' },
  303: { description: 'On to another page, or to the login' },
}

/** Answers a browser: what is thrown becomes a page of the panel. */
export async function answerAdmin(
  { log }: Pick<Dependencies, 'log'>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const error = toTestbedError(thrown)
    const { status, code, message } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return panelErrorPage({ status, code, message })
  }
}

/** Schema and limits of a form's body. */
export const formRequest = {
  contentTypes: ['application/x-www-form-urlencoded'],
  limit: 64 * 1024,
  // What is missing or sent twice is the form's own matter, after its sender has been looked at.
  body: z.record(z.string(), z.unknown()).default({}),
}
