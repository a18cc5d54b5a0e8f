import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../../dependencies.ts'
import { panelScript } from '../pages/panel-script.ts'
import { panelStyle } from '../pages/panel-style.ts'

const assets = new Map([
  ['panel.css', { contentType: 'text/css; charset=utf-8', body: panelStyle }],
  ['panel.js', { contentType: 'text/javascript; charset=utf-8', body: panelScript }],
])

/** Style and script of the panel, which hold nothing that is not public. */
export const showPanelAsset = defineRoute<Dependencies>()({
  method: 'get',
  path: '/admin/assets/:name',
  summary: 'Style and script of the admin panel',
  auth: 'none',
  documented: false,
  request: { params: z.object({ name: z.string() }) },
  responses: { 200: { description: 'The file' } },
  handle({ params }) {
    const asset = assets.get(params.name)
    if (!asset) {
      throw new TestbedError({ code: 'not_found', status: 404, message: 'There is no such file.' })
    }
    return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, ...asset }
  },
})
