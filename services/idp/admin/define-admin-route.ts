import type { Request } from 'express'
import { z } from 'zod'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  type AdminSession,
  answerAdmin,
  checkCsrfToken,
  checkOrigin,
  fieldsOf,
  findAdminSession,
  leadTo,
} from './answer-admin.ts'

export interface AdminInput {
  readonly session: AdminSession
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly request: Request
}

export interface AdminFormInput extends AdminInput {
  readonly fields: Readonly<Record<string, string | undefined>>
}

interface AdminPage<Input> {
  readonly path: string
  readonly summary: string
  readonly documented?: boolean
  handle(input: Input, dependencies: Dependencies): Promise<Reply> | Reply
}

const params = z.record(z.string(), z.string())
const responses = {
  200: { description: 'The page', contentType: 'text/html' },
  303: { description: 'On to another page, or to the login' },
}

/** Schema and limits of a form's body. */
export const formRequest = {
  contentTypes: ['application/x-www-form-urlencoded'],
  limit: 64 * 1024,
  // What is missing or sent twice is the form's own matter, after its sender has been looked at.
  body: z.record(z.string(), z.unknown()).default({}),
}

/** A page of the panel, for whoever is logged in; others are led to the login. */
export function defineAdminPage(page: AdminPage<AdminInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'get',
    path: page.path,
    summary: page.summary,
    auth: 'none',
    documented: page.documented ?? false,
    request: { params, query: z.record(z.string(), z.unknown()) },
    responses,
    handle: ({ params, query, request }, dependencies) =>
      answerAdmin(dependencies, async () => {
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return leadTo('/admin/login')
        return page.handle({ session, params, query, request }, dependencies)
      }),
  })
}

/** What a form of the panel does, for whoever is logged in and sent it from the panel's own page. */
export function defineAdminForm(form: AdminPage<AdminFormInput>): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'post',
    path: form.path,
    summary: form.summary,
    auth: 'none',
    documented: false,
    request: { params, ...formRequest },
    responses,
    handle: ({ params, request }, dependencies) =>
      answerAdmin(dependencies, async () => {
        checkOrigin(request, dependencies)
        const session = await findAdminSession(request, dependencies)
        if (session === undefined) return leadTo('/admin/login')
        checkCsrfToken(request, session.id)
        const fields = fieldsOf(request)
        return form.handle({ session, params, query: {}, request, fields }, dependencies)
      }),
  })
}
