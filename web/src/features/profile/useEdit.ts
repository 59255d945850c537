import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { core, type Profile } from '~/core'
import { textOf } from '~/language'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { useRenewSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { useObjectUrl } from './useObjectUrl'

/** The user's cropped picture, and whether it has been saved. */
type Picture = { blob: Blob; isSaved: boolean }

const inputOf = ({ first_name, last_name, email, mobile }: Profile) => ({
  first_name,
  last_name,
  email,
  mobile,
  currentPassword: '',
  knownEmail: email,
})

/** Returns the state of the profile form, including a new picture, which is saved together with the form. */
export function useEdit(profile: Profile) {
  const [picture, setPicture] = useState<Picture>()
  const [error, setError] = useState<string>()
  const renewSession = useRenewSession()
  const { form, discardDraft } = useDraftForm({
    draft: 'profile',
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkProfile(values)),
    defaultValues: inputOf(profile),
    onDiscard: () => setError(undefined),
  })
  const src = useObjectUrl(picture?.blob)
  const isNewPicture = picture?.isSaved === false
  const save = form.handleSubmit(async values => {
    setError(undefined)
    try {
      const saved = await core.updateProfile(values, isNewPicture ? picture.blob : undefined)
      form.reset(inputOf(saved))
      setPicture(picture && { ...picture, isSaved: true })
      toast.success(textOf(core.texts().profile.updated))
      await renewSession()
    } catch (thrown) {
      setError(showErrors(form, thrown, t`Something went wrong.`))
    }
  })
  return {
    form,
    discardDraft,
    error,
    save,
    /** The URL of the picture to show: the newly cropped one, or else the one of the profile. */
    picture: src ?? profile.profileImage,
    isNewPicture,
    isDirty: form.formState.isDirty || isNewPicture,
    setPicture: (blob: Blob) => setPicture({ blob, isSaved: false }),
    discard() {
      form.reset()
      setPicture(undefined)
      setError(undefined)
    },
  }
}

export type Edit = ReturnType<typeof useEdit>
