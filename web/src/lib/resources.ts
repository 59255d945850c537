import { core, type Navigation, type PermissionResource } from '~/core'
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

/** Returns the links of the top navigation and of the profile menu. */
export const navigationOf = (resources: PermissionResource[]): Navigation =>
  core.navigation(resources.map(localizeResource))
