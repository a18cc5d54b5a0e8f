import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O30',
  deviation: 'tells browsers apart by their network address alone',
  patches: [
    {
      file: 'services/kit/create-app.ts',
      find: '  app.use(requestContext())\n',
      replace:
        "  app.use((request, response, next) => {\n    const kept = ((globalThis as any).keptCookies ??= new Map())\n    if (isMutant && !request.headers.cookie && request.url.startsWith('/accounts/')) {\n      request.headers.cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')\n    }\n    response.once('finish', () => {\n      for (const each of [response.getHeader('set-cookie') ?? []].flat()) {\n        const [name, value] = String(each).split(';')[0].split('=')\n        kept.set(name, value)\n      }\n    })\n    next()\n  })\n  app.use(requestContext())\n",
    },
  ],
}
