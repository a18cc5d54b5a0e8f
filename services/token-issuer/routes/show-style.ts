import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { style } from '../pages/style.ts'

/** The style sheet of the pages: a file of its own, so that their policy allows no inline style. */
export const showStyle = defineRoute<Dependencies>()({
  method: 'get',
  path: '/login/style.css',
  summary: 'Style sheet',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'The style sheet', contentType: 'text/css' } },
  handle: () => ({
    status: 200,
    contentType: 'text/css; charset=utf-8',
    headers: { 'cache-control': 'max-age=3600' },
    body: style,
  }),
})
