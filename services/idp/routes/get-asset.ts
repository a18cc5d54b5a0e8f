import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { panelScript, panelStyle } from '../admin/panel-assets.ts'
import type { Dependencies } from '../dependencies.ts'
import { unknownAsset } from '../errors.ts'
import { loginScript, loginStyle } from '../pages/login-assets.ts'

const assets = new Map([
  ['login.css', { contentType: 'text/css; charset=utf-8', body: loginStyle }],
  ['login.js', { contentType: 'text/javascript; charset=utf-8', body: loginScript }],
  ['panel.css', { contentType: 'text/css; charset=utf-8', body: panelStyle }],
  ['panel.js', { contentType: 'text/javascript; charset=utf-8', body: panelScript }],
])

/** Style and script of the pages; nothing comes from elsewhere. */
export const getAsset = defineRoute<Dependencies>()({
  method: 'get',
  path: '/accounts/assets/:name',
  summary: 'Style and script of the pages',
  auth: 'none',
  documented: false,
  request: { params: z.object({ name: z.string() }) },
  responses: { 200: { description: 'The file' } },
  handle({ params }) {
    const asset = assets.get(params.name)
    if (!asset) throw unknownAsset()
    return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, ...asset }
  },
})
