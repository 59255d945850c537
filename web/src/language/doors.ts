import type {
  Core,
  CorporationResource,
  FieldError,
  MenuEntry,
  ProblemError,
  RoleResource,
} from '~/core/types'

type Said = (sentence: string) => string

/** The sentence that an answer brings along, if any. */
type Answer = { message?: unknown }

/**
 * Core as it is, save that what it says to people comes out in another language. Everything of core passes here, and so
 * does every answer of the server: nobody behind this door has to translate a sentence of theirs. Data stays as it is.
 */
export function speaking(core: Core, said: Said): Core {
  const all = <T extends object>(part: T): T =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'string' ? said(value) : all(value),
      ]),
    ) as T
  const broken = (errors: FieldError[]) => errors.map(error => ({ ...error, message: said(error.message) }))
  const optional = (sentence: string | undefined) => sentence && said(sentence)
  const entry = (link: MenuEntry): MenuEntry => ({
    ...link,
    title: said(link.title),
    subresources: link.subresources.map(entry),
  })
  const resource = <R extends CorporationResource>(one: R): R => ({
    ...one,
    title: said(one.title),
    description: said(one.description),
  })
  const matrix = (row: RoleResource): RoleResource => ({
    ...resource(row),
    subresources: row.subresources.map(matrix),
  })
  const answer = <T>(given: T): T => {
    const { message } = (given ?? {}) as Answer
    return typeof message === 'string' ? { ...given, message: said(message) } : given
  }
  const refusal = (problem: ProblemError) => {
    problem.message = said(problem.message)
    problem.errors = problem.errors.map(said)
    problem.fields = Object.fromEntries(
      Object.entries(problem.fields).map(([field, sentences]) => [field, sentences.map(said)]),
    )
    return problem
  }
  const texts = all(core.texts())

  const doors: Partial<Core> = {
    texts: () => texts,
    isProblem: core.isProblem,
    checkImage: (...image) => optional(core.checkImage(...image)),
    organizationNumberHint: number => optional(core.organizationNumberHint(number)),
    moduleToUpgrade: (...asked) => optional(core.moduleToUpgrade(...asked)),
    moduleWithoutAccess: (...asked) => optional(core.moduleWithoutAccess(...asked)),
    navigation(resources) {
      const { main, profile } = core.navigation(resources)
      return { main: main.map(entry), profile: profile.map(entry) }
    },
    themeColors: () => core.themeColors().map(color => ({ ...color, name: said(color.name) })),
    modelColumns: () => core.modelColumns().map(column => ({ ...column, label: said(column.label) })),
    afterResponse: (session, earlier) => answer(core.afterResponse(session, earlier)),
    afterFailure: (...failure) => answer(core.afterFailure(...failure)),
    roleMatrix: role => core.roleMatrix(role).map(matrix),
    async getAllowedResources() {
      const allowed = await core.getAllowedResources()
      return { ...allowed, data: allowed.data.map(resource), others: allowed.others.map(resource) }
    },
    listCorporationResources: async () => (await core.listCorporationResources()).map(resource),
    async importList(...page) {
      const list = await core.importList(...page)
      return { ...list, data: list.data.map(answer) }
    },
  }
  const spoken = (name: string, door: unknown) => {
    const own = doors[name as keyof Core] ?? door
    if (typeof own !== 'function' || own === core.isProblem) return own
    return (...given: unknown[]) => {
      const result: unknown = own(...given)
      if (result instanceof Promise) {
        return result.then(answer, error => {
          throw core.isProblem(error) ? refusal(error) : error
        })
      }
      return own === door && name.startsWith('check') ? broken(result as FieldError[]) : result
    }
  }
  return Object.fromEntries(Object.entries(core).map(([name, door]) => [name, spoken(name, door)])) as Core
}
