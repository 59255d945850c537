import { t } from '@lingui/core/macro'
import type { ChangedValue, PermissionResource } from '~/core'
import type { ListsCore } from '~/core/lists'
import { countryName } from '~/lib/format'
import { localizeResource } from '~/lib/resources'
import { permissionNames, roleDescription } from '~/lib/words'
import { isListed, kinds } from '../kinds'
import { fieldsOf } from '../useFields'
import { type Describe, describeFields, type FieldInfo } from './describe'
import { USER } from './updates'

const PERMISSIONS = 'permissions.'

/** Returns the titles of the resources and their subresources, by id. */
function titlesOf(resources: PermissionResource[]): ReadonlyMap<string, string> {
  const all = resources.map(localizeResource).flatMap(each => [each, ...each.subresources])
  return new Map(all.map(({ resource_id, title }) => [resource_id, title]))
}

/** Returns a function that replaces each item of a comma-separated value, such as "read, create", by its name. */
const itemsIn = (nameOf: (item: string) => string) => (value: ChangedValue) =>
  String(value).split(', ').map(nameOf).join(', ')

const permissionsText = itemsIn(item => (permissionNames as Record<string, string>)[item] ?? item)

/** By resource, the fields that occur in the history but aren't fields of a list. */
const ownFields = (titleOf: (id: string) => string): Record<string, Record<string, FieldInfo>> => ({
  users: {
    banned: { label: t`Banned` },
    password: { label: t`Password` },
    picture: { label: t`Picture`, unrecordedText: t`changed` },
    google: { label: t`Google` },
  },
  roles: {
    // Not translated: if the first role is renamed to its translated name, both names would look the same.
    name: { label: t`Name` },
    description: { label: t`Description`, textOf: value => roleDescription(String(value)) },
  },
  corporations: {
    [USER]: { label: t`User` },
    allowed_resources: { label: t`Resources`, textOf: itemsIn(titleOf), emptyText: t`none` },
    theme: { label: t`Theme colour` },
    country: { label: t`Country`, textOf: value => countryName(String(value)) },
    currency: { label: t`Currency` },
    vat_rate: { label: t`VAT rate` },
    logo: { label: t`Logo`, unrecordedText: t`changed` },
  },
})

/** Returns a function that takes a resource and returns how the history shows its fields. */
export function describeAll(
  rules: ListsCore,
  resources: PermissionResource[],
  mayReadCustomers: boolean,
): (resource: string) => Describe {
  const titles = titlesOf(resources)
  const titleOf = (id: string) => titles.get(id) ?? id
  const own = ownFields(titleOf)
  const lists = new Map<string, Describe>(
    [...kinds.values()]
      .filter(isListed)
      .map(({ resource }) => [resource, describeFields(fieldsOf(rules, resource), mayReadCustomers)]),
  )
  const describe = (resource: string, name: string): FieldInfo => {
    // A change of another corporation's user, in the history of the platform.
    if (resource === 'corporations' && name.startsWith(`${USER}.`))
      return describe('users', name.slice(USER.length + 1))
    const field = own[resource]?.[name] ?? lists.get(resource)?.(name)
    if (field) return field
    return resource === 'roles' && name.startsWith(PERMISSIONS)
      ? { label: titleOf(name.slice(PERMISSIONS.length)), textOf: permissionsText, emptyText: t`none` }
      : { label: name }
  }
  return resource => name => describe(resource, name)
}
