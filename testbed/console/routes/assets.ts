import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineRoute } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'

function asset(file: string, contentType: string) {
  const body = readFileSync(resolve(import.meta.dirname, '../assets', file), 'utf8')
  return defineRoute<ConsoleDependencies>()({
    method: 'get',
    path: `/assets/${file}`,
    summary: file,
    auth: 'none',
    documented: false,
    responses: { 200: { description: file, contentType } },
    handle: () => ({ status: 200, body, contentType: `${contentType}; charset=utf-8` }),
  })
}

export const showStyle = asset('console.css', 'text/css')
export const showScript = asset('console.js', 'text/javascript')
