import { core, type Navigation, type PermissionResource, type ResourceId } from '~/core'
import { textOf } from '~/language'

type Resource = { resource_id: string; title: string; description?: string; subresources?: Resource[] }

/** Returns a resource's title in the app's language. */
export const resourceTitle = (resource_id: string, title: string) =>
  textOf({ code: `resource.${resource_id}`, text: title })

/** Returns a resource with its title and description, and those of its subresources, in the app's language. */
export function localizeResource<R extends Resource>(resource: R): R {
  const { resource_id, title, description, subresources } = resource
  return {
    ...resource,
    title: resourceTitle(resource_id, title),
    ...(description !== undefined && {
      description: textOf({ code: `resource.${resource_id}.description`, text: description }),
    }),
    ...(subresources && { subresources: subresources.map(localizeResource) }),
  }
}

/** Returns the links of the top navigation and of the profile menu that a user with these permissions sees. */
export const navigationOf = (resources: PermissionResource[]): Navigation =>
  core.navigation(resources.map(localizeResource))

/**
 * Returns whether a user with these permissions can open the page at `route`, by the same rule as the app's `Shell`.
 */
export const canOpen = (resources: PermissionResource[], route: string) =>
  !core.moduleToUpgrade(resources, route) && !core.moduleWithoutAccess(resources, route)

/** Returns whether a user with these permissions may read the resource's records and open its page, `route`. */
export const canRead = (resources: PermissionResource[], name: ResourceId, route: string) =>
  core.may(resources, name, 'read') && canOpen(resources, route)
