import type {
  Core,
  CorporationResource,
  FieldError,
  MenuEntry,
  ProblemError,
  RoleResource,
} from '~/core/types'

type Translate = (message: string) => string

/**
 * Wraps core so that all messages of core and of the server are translated. Callers don't translate them again. Data
 * is unchanged.
 */
export function translateCore(core: Core, translate: Translate): Core {
  const translateAll = <T extends object>(part: T): T =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'string' ? translate(value) : translateAll(value),
      ]),
    ) as T
  const translateErrors = (errors: FieldError[]) =>
    errors.map(error => ({ ...error, message: translate(error.message) }))
  const translateOptional = (message: string | undefined) => message && translate(message)
  const translateEntry = (link: MenuEntry): MenuEntry => ({
    ...link,
    title: translate(link.title),
    subresources: link.subresources.map(translateEntry),
  })
  const translateResource = <R extends CorporationResource>(one: R): R => ({
    ...one,
    title: translate(one.title),
    description: translate(one.description),
  })
  const translateMatrix = (row: RoleResource): RoleResource => ({
    ...translateResource(row),
    subresources: row.subresources.map(translateMatrix),
  })
  const translateResponse = <T>(response: T): T => {
    const { message } = (response ?? {}) as { message?: unknown }
    return typeof message === 'string' ? { ...response, message: translate(message) } : response
  }
  const translateProblem = (problem: ProblemError) => {
    problem.message = translate(problem.message)
    problem.errors = problem.errors.map(translate)
    problem.fields = Object.fromEntries(
      Object.entries(problem.fields).map(([field, messages]) => [field, messages.map(translate)]),
    )
    return problem
  }
  const texts = translateAll(core.texts())

  const wrappers: Partial<Core> = {
    texts: () => texts,
    isProblem: core.isProblem,
    checkImage: (...args) => translateOptional(core.checkImage(...args)),
    organizationNumberHint: number => translateOptional(core.organizationNumberHint(number)),
    moduleToUpgrade: (...args) => translateOptional(core.moduleToUpgrade(...args)),
    moduleWithoutAccess: (...args) => translateOptional(core.moduleWithoutAccess(...args)),
    navigation(resources) {
      const { main, profile } = core.navigation(resources)
      return { main: main.map(translateEntry), profile: profile.map(translateEntry) }
    },
    themeColors: () => core.themeColors().map(color => ({ ...color, name: translate(color.name) })),
    modelColumns: () => core.modelColumns().map(column => ({ ...column, label: translate(column.label) })),
    afterResponse: (session, earlier) => translateResponse(core.afterResponse(session, earlier)),
    afterFailure: (...args) => translateResponse(core.afterFailure(...args)),
    roleMatrix: role => core.roleMatrix(role).map(translateMatrix),
    async getAllowedResources() {
      const allowed = await core.getAllowedResources()
      return {
        ...allowed,
        data: allowed.data.map(translateResource),
        others: allowed.others.map(translateResource),
      }
    },
    listCorporationResources: async () => (await core.listCorporationResources()).map(translateResource),
    async importList(...args) {
      const list = await core.importList(...args)
      return { ...list, data: list.data.map(translateResponse) }
    },
  }
  const wrap = (name: string, binding: unknown) => {
    const wrapped = wrappers[name as keyof Core] ?? binding
    if (typeof wrapped !== 'function' || wrapped === core.isProblem) return wrapped
    return (...args: unknown[]) => {
      const result: unknown = wrapped(...args)
      if (result instanceof Promise) {
        return result.then(translateResponse, error => {
          throw core.isProblem(error) ? translateProblem(error) : error
        })
      }
      return wrapped === binding && name.startsWith('check')
        ? translateErrors(result as FieldError[])
        : result
    }
  }
  return Object.fromEntries(
    Object.entries(core).map(([name, binding]) => [name, wrap(name, binding)]),
  ) as Core
}
